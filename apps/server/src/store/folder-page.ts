import { matchRank } from '@cadmus/model/match-rank'
import { foldName } from '@cadmus/model/paths'
import { readPlace, rowsBefore, writePlace, type Page } from './page.ts'

type Folder = { name: string; path: string }

/**
 * Returns a page of folders by path. `search` matches a part of a folder's own name; exact matches come first, then
 * prefixes.
 */
export function folderPage(
  paths: readonly string[],
  query: Page & { search?: string },
): { folders: Folder[]; total: number; next: string | null } {
  const search = foldName(query.search ?? '')
  const all = paths
    .map(path => ({ path, name: path.slice(path.lastIndexOf('/') + 1) }))
    .filter(({ name }) => foldName(name).includes(search))
    .map(folder => ({ folder, rank: matchRank(foldName(folder.name), search) }))
    .toSorted((a, b) => a.rank - b.rank || (a.folder.path < b.folder.path ? -1 : 1))
  const after = query.after === undefined ? undefined : readPlace(query.after)
  const start = after === undefined ? rowsBefore(query) : all.filter(one => !isBehind(one, after)).length
  const part = all.slice(start, start + query.limit)
  const last = part.at(-1)
  const isEnd = last === undefined || start + query.limit >= all.length
  const next = isEnd ? null : writePlace({ name_folded: last.folder.path, id: last.rank })
  return { folders: part.map(({ folder }) => folder), total: all.length, next }
}

function isBehind(
  { folder, rank }: { folder: Folder; rank: number },
  after: { name_folded: string; id: number },
): boolean {
  return rank > after.id || (rank === after.id && folder.path > after.name_folded)
}
