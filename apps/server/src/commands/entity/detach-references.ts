import { withoutNames } from '@cadmus/model/configuration-names'
import { detached, type OnReferences } from '@cadmus/model/detach'
import { messages } from '@cadmus/model/messages'
import { ApiError } from '../../errors/api-error.ts'
import type { Tx } from '../../store/database.ts'
import { referenceLookup, refreshed, underTodaysNames } from '../../store/entity-refresh.ts'
import { entitiesByIds, setEntityContents, type StoredEntity, withAncestors } from '../../store/entity.ts'
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

/** Each may be large. */
const writtenAtOnce = 25

type Step = Pick<LosingStep, 'current' | 'next'>

async function detachEntities(
  tx: Tx,
  change: Change,
  work: Work,
  given: { targets: readonly Target[]; references: References; onReferences: OnReferences },
): Promise<Step[]> {
  const { organisationId } = change
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
  const writer = new Writer(tx, change, work)
  for (const entity of await underTodaysNames(tx, organisationId, entities)) {
    const left = detached(entity.content, { gone, lookup, onReferences })
    const own = { current: entity, next: left, onReferences: () => onReferences, except: gone }
    const isMissed = missed.has(entity.id)
    // Asked of the store, which has to know what the entities before have become.
    if (isMissed) await writer.write()
    const loss = isMissed ? await columnLoss(tx, organisationId, own) : undefined
    const content = loss?.content ?? left
    const going = (referring.get(entity.id) ?? []).map(({ target }) => target.name)
    await writer.add({ entity, content, description: messages.audit.detached(named([...new Set(going)])) })
    if (isMissed) steps.push({ current: entity, next: content })
  }
  await writer.write()
  return steps
}

type Rewritten = { entity: StoredEntity; content: StoredEntity['content']; description: string }

/** Writes what entities have become, some at once: a dozen statements for each took seconds where a hundred refer to one. */
class Writer {
  #waiting: Rewritten[] = []
  readonly #tx: Tx
  readonly #change: Change
  readonly #work: Work

  constructor(tx: Tx, change: Change, work: Work) {
    this.#tx = tx
    this.#change = change
    this.#work = work
  }

  async add(item: Rewritten): Promise<void> {
    this.#waiting.push(item)
    if (this.#waiting.length >= writtenAtOnce) await this.write()
  }

  async write(): Promise<void> {
    const items = this.#waiting
    this.#waiting = []
    const { organisationId, actor } = this.#change
    const steps = items.map(({ entity, content }) => ({ id: entity.id, from: entity, content, path: entity.path }))
    const hashes = await setEntityContents(this.#tx, organisationId, steps, actor)
    if (hashes === undefined) throw new LostRace()
    for (const [index, { entity, description }] of items.entries())
      this.#work.tell(entityChanged(entity, { ...entity, hash: hashes[index] ?? '' }, description))
  }
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
