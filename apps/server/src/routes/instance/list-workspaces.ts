import { bestMatches } from '@cadmus/model/match-rank'
import { listWorkspaces } from '@cadmus/model/contract/instance'
import { foldName } from '@cadmus/model/paths'
import { handle } from '../../http/route.ts'
import { addressOf } from '../../remote/instance-target.ts'

export const listWorkspacesRoute = handle(listWorkspaces, async ({ query: { page, size, search } }, { context }) => {
  const byName = context.config.instances.toSorted((one, other) => (foldName(one.name) < foldName(other.name) ? -1 : 1))
  const match = bestMatches(byName, ({ name }) => [name], search)
  const items = match.slice(page * size, (page + 1) * size).map(({ name, url }) => {
    const path = addressOf(url)
    return { id: name, name, path, hostname: url.hostname, url: path }
  })
  return { result: 'OK' as const, message: '', items, totalElements: match.length, size, page }
})
