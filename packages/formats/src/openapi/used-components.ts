import type { Json, JsonTree } from '../json-tree.ts'

type Components = Readonly<Record<string, JsonTree>>

/** Of the components those that the paths refer to, themselves or through others. */
export function usedComponents(paths: JsonTree, components: Components): JsonTree {
  const used = new Set(referencesOf(paths))
  for (const reference of used) {
    const [kind = '', name = ''] = reference.split('/').slice(2)
    for (const further of referencesOf(components[kind]?.[name])) used.add(further)
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
    ]),
  )
}

function* referencesOf(json: Json | undefined): Generator<string> {
  if (typeof json !== 'object' || json === null) return
  for (const [key, value] of Object.entries(json)) {
    if (key === '$ref' && typeof value === 'string') yield value
    else yield* referencesOf(value)
  }
}
