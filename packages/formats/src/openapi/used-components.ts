import type { Json, JsonTree } from '../json-tree.ts'

type Components = Readonly<Record<string, JsonTree>>

/** The components that the paths reference, directly or transitively. */
export function usedComponents(paths: JsonTree, components: Components): JsonTree {
  const used = new Set<string>()
  addReferences(paths, used)
  // The set grows during iteration.
  for (const reference of used) {
    const [kind = '', name = ''] = reference.split('/').slice(2)
    addReferences(components[kind]?.[name], used)
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
    ]),
  )
}

function addReferences(json: Json | undefined, used: Set<string>): void {
  if (typeof json !== 'object' || json === null) return
  if (Array.isArray(json)) {
    for (const one of json) addReferences(one, used)
    return
  }
  for (const [key, value] of Object.entries(json)) {
    if (key === '$ref' && typeof value === 'string') used.add(value)
    else if (typeof value === 'object') addReferences(value, used)
  }
}
