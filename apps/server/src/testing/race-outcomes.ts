import type { TestConsole } from './console.ts'
import { organisationId } from './entities.ts'

/** Ids of entities that extend themselves directly or indirectly. */
export async function cycles(ids: readonly number[], next: (id: number) => Promise<number[]>): Promise<number[]> {
  const edges = new Map<number, number[]>()
  for (const id of ids) edges.set(id, await next(id))
  return ids.filter(id => {
    const seen = new Set<number>()
    const open = [...(edges.get(id) ?? [])]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === id) return true
      if (seen.has(at)) continue
      seen.add(at)
      open.push(...(edges.get(at) ?? []))
    }
    return false
  })
}

/** Numbers of entities and members of a manifest. */
export async function countOwned(server: TestConsole, manifest: number) {
  const organisation = await organisationId(server)
  const db = server.context.store.of(organisation)
  const entities = await db
    .selectFrom('entity')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('manifest_id', '=', manifest)
    .execute()
  const members = await db
    .selectFrom('manifest_member')
    .select('entity_id')
    .where('organisation_id', '=', organisation)
    .where('manifest_id', '=', manifest)
    .execute()
  return { entities: entities.length, members: members.length }
}
