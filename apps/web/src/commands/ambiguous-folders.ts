import { foldName, folderOf } from '@cadmus/model/paths'

type Named = { id: number; name: string; path?: string | undefined }

export function ambiguousFolders(items: Iterable<Named>): ReadonlyMap<number, string> {
  const byId = new Map(Array.from(items, item => [item.id, item]))
  const byName = Map.groupBy(byId.values(), item => foldName(item.name))
  const alike = [...byName.values()].filter(same => same.length > 1).flat()
  return new Map(alike.flatMap(({ id, path }) => (path === undefined || path === '' ? [] : [[id, folderOf(path)]])))
}
