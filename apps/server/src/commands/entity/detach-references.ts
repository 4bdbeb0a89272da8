import { withoutNames } from '@cadmus/model/configuration-names'
import { detached, type OnReferences } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { referenceLookup, refreshed, underTodaysNames } from '../../store/entity-refresh.ts'
import { entitiesByIds, setEntityContent, withAncestors } from '../../store/entity.ts'
import { pinnedIn, putConfiguration } from '../../store/manifest-configuration.ts'
import { lockManifest, setManifestConfiguration } from '../../store/manifest.ts'
import { entityChanged, named } from '../audit.ts'
import { type Change, LostRace, type Work } from '../change.ts'
import { tellOfConfiguration } from '../manifest/save-configuration.ts'
import { columnLoss, missable, type LosingStep } from './lost-columns.ts'
import { followLoss } from './lose-columns.ts'
import { type References, referencesTo, type Target, toldAtOnce } from './references-to.ts'

/**
 * Lets everything that refers to the entities go of them, each with its audit entry; 409 with the list where nobody said what
 * becomes of it. Frozen versions stay as they were.
 */
export async function detachReferences(
  tx: Tx,
  change: Change,
  work: Work,
  going: { targets: readonly Target[]; withManifest?: number | undefined; onReferences: OnReferences | undefined },
): Promise<void> {
  const references = await referencesTo(tx, change.organisationId, going.targets, going.withManifest)
  if (references.items.length === 0) return
  const { onReferences } = going
  if (onReferences === undefined) {
    const told = references.items.slice(0, toldAtOnce)
    throw new ApiError(409, 'referenced', messages.referredTo, { references: told })
  }
  const steps = await detachEntities(tx, change, work, { targets: going.targets, references, onReferences })
  await detachConfigurations(tx, change, work, references)
  // What was inherited is another column now, and what went with a relationship is none: others may refer to it.
  const follow = { onReferences: () => onReferences, except: new Set(going.targets.map(({ id }) => id)) }
  for (const step of steps) {
    const loss = await columnLoss(tx, change.organisationId, { ...step, ...follow })
    if (loss) await followLoss(tx, change, work, loss, follow)
  }
}

type Step = Pick<LosingStep, 'current' | 'next'>

async function detachEntities(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  given: { targets: readonly Target[]; references: References; onReferences: OnReferences },
): Promise<Step[]> {
  const { targets, references, onReferences } = given
  const gone = new Set(targets.map(({ id }) => id))
  const wanted = references.items.flatMap(({ document, target }) => (document === 'entity' ? [target.id] : []))
  const known = await withAncestors(tx, organisationId, (await entitiesByIds(tx, organisationId, wanted)).values())
  // What an heir takes over is written, too: under the names of today.
  const names = await referenceLookup(tx, organisationId, [...known.values()])
  const nodes = new Map([...known].map(([id, node]) => [id, { ...node, ...refreshed(node, names) }]))
  const lookup = (id: number) => nodes.get(id)
  const steps: Step[] = []
  const referring = Map.groupBy(
    references.items.filter(({ document }) => document === 'entity'),
    ({ id }) => id,
  )
  const read = await entitiesByIds(tx, organisationId, referring.keys())
  const entities = [...read.values()].toSorted((a, b) => a.id - b.id)
  const missed = await missable(tx, organisationId, entities)
  for (const entity of await underTodaysNames(tx, organisationId, entities)) {
    const left = detached(entity.content, { gone, lookup, onReferences })
    const own = { current: entity, next: left, onReferences: () => onReferences, except: gone }
    const loss = missed.has(entity.id) ? await columnLoss(tx, organisationId, own) : undefined
    const content = loss?.content ?? left
    const step = { id: entity.id, from: entity.content_hash, content, path: entity.path }
    const hash = await setEntityContent(tx, organisationId, step, actor)
    if (hash === undefined) throw new LostRace()
    const going = (referring.get(entity.id) ?? []).map(({ target }) => target.name)
    work.tell(entityChanged(entity, { ...entity, hash }, messages.audit.detached(named([...new Set(going)]))))
    if (missed.has(entity.id)) steps.push({ current: entity, next: content })
  }
  return steps
}

async function detachConfigurations(
  tx: Tx,
  { organisationId, actor }: Change,
  work: Work,
  { configurations }: References,
): Promise<void> {
  for (const { manifest, stored: before, names } of configurations) {
    const locked = await lockManifest(tx, organisationId, manifest.id)
    if (locked?.configuration_hash !== manifest.configuration_hash) throw new LostRace()
    const left = withoutNames(before.configuration, new Set(names.keys()))
    const after = await pinnedIn(tx, manifest, left, before.named)
    const hash = await putConfiguration(tx, organisationId, after)
    await setManifestConfiguration(tx, organisationId, manifest.id, hash, actor)
    await tellOfConfiguration(tx, work, manifest, { before, after })
  }
}
