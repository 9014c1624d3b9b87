/** Fails to compile unless both types are the same. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Accepts `true` only. */
export type Expect<T extends true> = T
