// The tree of a case: what the vectors know of trees, with two words for the whole of it.

import { buildTree, run } from '../vectors/tree.mjs'

/** Builds the tree of a case and gives back its nodes by path. */
export function buildCaseTree(root, { gen, setup, ...nodes } = {}) {
  const tree = { ...many(gen), ...nodes }
  buildTree(root, tree)
  if (setup) run('sh', ['-c', setup.shell], { cwd: root })
  return tree
}

/** `{files, name}`: so many files, numbered from 0, that hold `x` and a newline. */
function many({ files = 0, name = '' } = {}) {
  return Object.fromEntries(Array.from({ length: files }, (_, number) => [name.replace('{}', number), 'x\n']))
}
