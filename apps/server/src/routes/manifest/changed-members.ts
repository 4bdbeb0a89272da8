import { manifestAnswer, type ManifestUpdate } from '@cadmus/model/contract/manifest-shapes'
import { isEqual } from '@cadmus/model/equal'
import type { ManifestContent, MemberType } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { baseOf } from '../../commands/manifest/rename-manifest.ts'
import type { RequestContext } from '../../http/route.ts'
import { manifestsByIds, type ManifestRow } from '../../store/manifest.ts'
import { memberParts } from '../../store/manifest-relationships.ts'

const sentLists = manifestAnswer.pick({ entityPaths: true, subManifestPaths: true }).partial()

/**
 * Problems of sent entities and sub-manifests that differ from those of the base and of the current state. Names and paths may
 * be outdated. Not with `*`, whose base is unknown.
 */
export async function changedMembers(
  { context, organisation, ifMatch = '*' }: RequestContext,
  row: ManifestRow,
  current: ManifestContent,
  sent: ManifestUpdate['manifest'],
): Promise<{ path: string; message: string }[]> {
  const { entityPaths, subManifestPaths } = sentLists.parse(sent)
  if (ifMatch === '*' || (entityPaths === undefined && subManifestPaths === undefined)) return []
  const db = context.store.of(organisation.id)
  const states = [await baseOf(db, row, current, ifMatch), current]
  const existingManifests = async (ids: readonly number[]) =>
    (await manifestsByIds(db, organisation.id, ids)).map(({ id }) => id)
  const lists = [
    {
      name: 'entityPaths',
      sent: entityPaths?.map(({ id, type }) => ({ id, type })),
      states: states.map(({ entities }) => entities.map(({ id, type }) => ({ id, type }))),
      existing: async () => [...(await memberParts(db, organisation.id, row)).keys()],
    },
    {
      name: 'subManifestPaths',
      sent: subManifestPaths?.map(({ id }) => ({ id })),
      states: states.map(({ subManifests }) => subManifests.map(id => ({ id }))),
      existing: existingManifests,
    },
  ]
  const problems: { path: string; message: string }[] = []
  for (const list of lists)
    if (!(await isAnswered(list)))
      problems.push({ path: `manifest.${list.name}`, message: messages.readOnly(list.name) })
  return problems
}

type Item = { id: number; type?: MemberType }
type List = {
  sent: Item[] | undefined
  states: Item[][]
  existing: (ids: readonly number[]) => Promise<number[]>
}

async function isAnswered({ sent, states, existing }: List): Promise<boolean> {
  if (sent === undefined || states.some(state => isEqual(state, sent))) return true
  // Answers leave out members that are being deleted.
  const ids = new Set(states.flat().map(({ id }) => id))
  const deleted = ids.difference(new Set(await existing([...ids])))
  const shown = (items: readonly Item[]) => items.filter(({ id }) => !deleted.has(id))
  return states.some(state => isEqual(shown(state), shown(sent)))
}
