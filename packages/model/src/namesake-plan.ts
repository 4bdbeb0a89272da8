import type { Closure } from './closure.ts'
import type { EntityNode } from './entity.ts'
import { ancestorsOf } from './inherit.ts'
import { limits } from './limits.ts'
import { messages } from './messages.ts'
import { namesakeTexts } from './namesake-texts.ts'
import { namesakesOf } from './namesakes.ts'
import { foldName, folderOf } from './paths.ts'

/** prefix: the folder's name before its own; rename: a number after it; leaveOut: out of the manifest. */
export const namesakeStrategies = ['prefix', 'rename', 'leaveOut'] as const
export type NamesakeStrategy = (typeof namesakeStrategies)[number]

/** What the store knows of an entity that has namesakes. */
export type NamesakeFacts = {
  /** Why it cannot be renamed; undefined where it can. */
  locked: string | undefined
  /** The manifests of the closure that list it. */
  listedIn: readonly { id: number; name: string; locked: boolean; owns: boolean }[]
  /** All own manifests that list it, those outside of the closure among them; 0: it is of none. */
  places: ReadonlySet<number>
  /** Folded names that it cannot have: those of all others in these places. */
  taken: ReadonlySet<string>
}

/** One step that makes a name mean one table. */
export type NamesakeStep = {
  entity: EntityNode
  /** The one that keeps the name. */
  keeper: EntityNode
} & (
  | { action: 'rename'; name: string }
  /** `deletes`: a manifest of the closure owns it, and it goes with its place there. `reason`: why it is not renamed. */
  | { action: 'leaveOut'; from: readonly { id: number; name: string }[]; deletes: boolean; reason: string | undefined }
  /** Neither can be done. */
  | { action: 'none'; reason: string }
)

/**
 * What makes every name in a manifest with its sub-manifests mean one table, each step valid with those before it. Of unrelated
 * namesakes one keeps the name: where one cannot be changed it is that one. What cannot be renamed is left out.
 */
export function namesakePlan(
  closure: Closure,
  strategy: NamesakeStrategy,
  facts: ReadonlyMap<number, NamesakeFacts>,
): NamesakeStep[] {
  const taken = new Set(closure.entities.map(({ name }) => foldName(name)))
  return groupsOf(closure).flatMap(group => {
    const families = familiesOf(group, closure)
    const kept = keptOf(families, strategy, facts)
    const [keeper] = kept ?? []
    if (!keeper) return []
    return families
      .filter(family => family !== kept)
      .flatMap(family => stepsOf(family, { keeper, strategy, facts, taken, closure }))
  })
}

/** The entities that share a name with an unrelated one: what facts are needed of. */
export function entitiesWithNamesakes(closure: Closure): EntityNode[] {
  return groupsOf(closure).flat()
}

function groupsOf(closure: Closure): EntityNode[][] {
  const names = new Set(namesakesOf(closure).unrelated.map(([, entity]) => foldName(entity.name)))
  const groups = Map.groupBy(closure.entities, ({ name }) => foldName(name))
  return Array.from(groups).flatMap(([name, group]) => (names.has(name) ? [group] : []))
}

/** Those that extend one another are one table; the most derived one comes first. */
function familiesOf(group: readonly EntityNode[], { byId }: Closure): EntityNode[][] {
  const above = new Map(
    group.map(entity => [entity.id, new Set(ancestorsOf(entity, id => byId.get(id)).map(({ id }) => id))]),
  )
  const isAbove = (parent: EntityNode, child: EntityNode) => above.get(child.id)?.has(parent.id) ?? false
  const families: EntityNode[][] = []
  for (let open = [...group]; open.length > 0;) {
    const most = open.reduce((found, entity) => (isAbove(found, entity) ? entity : found))
    families.push([most, ...open.filter(entity => isAbove(entity, most))])
    open = open.filter(entity => entity !== most && !isAbove(entity, most))
  }
  return families
}

type Facts = ReadonlyMap<number, NamesakeFacts>

/** One that can neither be renamed nor left out; else, where names change, one that cannot be renamed; else the first. */
function keptOf(families: readonly EntityNode[][], strategy: NamesakeStrategy, facts: Facts): EntityNode[] | undefined {
  const isBound = ({ id }: EntityNode) => facts.get(id)?.listedIn.some(({ locked }) => locked) ?? true
  const isLocked = ({ id }: EntityNode) => facts.get(id)?.locked !== undefined
  const immovable = families.find(family => family.some(entity => isBound(entity) && isLocked(entity)))
  const locked = strategy === 'leaveOut' ? undefined : families.find(family => family.some(isLocked))
  return immovable ?? locked ?? families[0]
}

type Step = { keeper: EntityNode; strategy: NamesakeStrategy; facts: Facts; taken: Set<string>; closure: Closure }

function stepsOf(family: readonly EntityNode[], { keeper, strategy, facts, taken, closure }: Step): NamesakeStep[] {
  const given: { name: string; places: ReadonlySet<number> }[] = []
  return family.map(entity => {
    const known = facts.get(entity.id)
    const reason = known ? known.locked : messages.locked.default
    if (strategy !== 'leaveOut' && known && reason === undefined) {
      // Those of one family stay one table, unless a manifest lists both.
      const again = given.find(before => isFree(before, known))?.name
      const name = again ?? freeName(entity, strategy, closure, wanted => taken.has(wanted) || known.taken.has(wanted))
      given.push({ name, places: known.places })
      taken.add(foldName(name))
      return { entity, keeper, action: 'rename', name }
    }
    return leftOut(entity, keeper, known, strategy === 'leaveOut' ? undefined : reason)
  })
}

function isFree({ name, places }: { name: string; places: ReadonlySet<number> }, known: NamesakeFacts): boolean {
  return !known.taken.has(foldName(name)) && ![...places].some(place => known.places.has(place))
}

function leftOut(
  entity: EntityNode,
  keeper: EntityNode,
  known: NamesakeFacts | undefined,
  reason: string | undefined,
): NamesakeStep {
  const from = known?.listedIn ?? []
  const bound = from.find(({ locked }) => locked)
  if (bound || from.length === 0)
    return { entity, keeper, action: 'none', reason: namesakeTexts.bound(bound?.name ?? '') }
  const deletes = from.some(({ owns }) => owns)
  return { entity, keeper, action: 'leaveOut', from: from.map(({ id, name }) => ({ id, name })), deletes, reason }
}

function freeName(
  entity: EntityNode,
  strategy: NamesakeStrategy,
  closure: Closure,
  isTaken: (folded: string) => boolean,
): string {
  const name = identifier(entity.name) || 'Entity'
  const base = strategy === 'prefix' ? prefixed(folderNameOf(entity, closure), name) : name
  for (let number = strategy === 'prefix' ? 1 : 2; ; number++) {
    const ending = number === 1 ? '' : /\d$/.test(base) ? `_${number}` : String(number)
    const wanted = `${trimmed(base.slice(0, limits.entityName.max - ending.length))}${ending}`
    if (wanted.length >= limits.entityName.min && !isTaken(foldName(wanted))) return wanted
  }
}

/** The folder that it is in; one of no manifest is in that which brings it in. */
function folderNameOf({ id, path }: EntityNode, { owner, manifests }: Closure): string {
  const folder = folderOf(path).split('/').slice(1).at(-1)
  return folder ?? manifests.find(manifest => manifest.id === owner.get(id))?.name ?? ''
}

function prefixed(folder: string, name: string): string {
  const before = trimmed(identifier(folder).slice(0, Math.max(0, limits.entityName.max - name.length - 1)))
  return before === '' ? name : `${before}_${name}`
}

/** What of a name follows the pattern of names: letters, digits and single underscores, a letter first. */
function identifier(name: string): string {
  return trimmed(
    name
      .slice(0, 2 * limits.entityName.max)
      .normalize('NFKD')
      .replace(/[^A-Za-z0-9]+/g, '_')
      .replace(/^[^A-Za-z]+/, ''),
  )
}

function trimmed(name: string): string {
  return name.endsWith('_') ? name.slice(0, -1) : name
}
