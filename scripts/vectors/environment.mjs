// The environment of a case: variables that hold while it runs.

import { join } from 'node:path'

/** No configuration of whoever runs this has a say. */
export function emptyHome(home) {
  return { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home, GIT_CONFIG_GLOBAL: join(home, 'none'), GIT_CONFIG_SYSTEM: join(home, 'none') }
}

/** Runs `use` with some variables set, and puts back what was there. */
export async function withEnvironment(variables, use) {
  const before = Object.keys(variables).map((name) => [name, process.env[name]])
  Object.assign(process.env, variables)
  try {
    return await use()
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}
