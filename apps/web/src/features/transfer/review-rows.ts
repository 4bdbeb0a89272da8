import type { ExistingChoice, ImportReview, ReviewedEntity } from '@cadmus/model/contract/import-review'
import { foldName } from '@cadmus/model/paths'
import { counted, reviewDialogTexts as texts } from '@cadmus/model/messages/import-review'
import type { TreeRow } from '../../ui/Tree.tsx'

export type ReviewFilter = { search: string; only: 'all' | 'findings' | 'existing' }

/** What becomes of entities that exist, by number. */
export type Existing = ReadonlyMap<number, ExistingChoice>

export const noneExist: Existing = new Map()

/** Entities by number. */
export type LeftOut = ReadonlySet<number>

export type ReviewState = {
  existing: Existing
  leftOut: LeftOut
  /** Manifests whose entities are hidden, by index. */
  folded: ReadonlySet<number>
  filter: ReviewFilter
}

/** A row's id: of a manifest or an entity. */
export type RowPlace = { kind: 'manifest' | 'entity'; index: number }

export function rowId({ kind, index }: RowPlace): string {
  return `${kind} ${index}`
}

export function placeOf(id: string): RowPlace {
  const [kind, index] = id.split(' ')
  return { kind: kind === 'entity' ? 'entity' : 'manifest', index: Number(index) }
}

/** The visible rows: manifests with their sub-manifests and entities. Of a filtered tree, only what has a match. */
export function reviewRows(
  { manifests }: Pick<ImportReview, 'manifests'>,
  entities: readonly ReviewedEntity[],
  { leftOut, folded, filter, existing }: ReviewState,
): TreeRow[] {
  const shown = entities.filter(entity => fits(entity, filter, existing))
  const own = Map.groupBy(shown, ({ manifest }) => manifest)
  const counts = countsOfManifests(manifests, entities, { leftOut, filter, existing })
  const isFiltered = filter.search !== '' || filter.only !== 'all'
  const isShown = (index: number) => !isFiltered || (counts.get(index)?.shown ?? 0) > 0
  const subs = Map.groupBy([...manifests.keys()].filter(isShown), index => manifests[index]?.parent ?? -1)

  function rowsOf(siblings: readonly number[], level: number, setSize: number): TreeRow[] {
    return siblings.flatMap((index, at) => {
      const [children, members] = [subs.get(index) ?? [], own.get(index) ?? []]
      const size = children.length + members.length
      const isOpen = isFiltered || !folded.has(index)
      const row = manifestRow(index, manifests[index]?.name ?? '', counts.get(index) ?? noCounts)
      const self = { ...row, level, expanded: size === 0 ? null : isOpen, posInSet: at + 1, setSize }
      if (!isOpen) return [self]
      const leaves = members.map((entity, place) =>
        entityRow(entity, {
          level: level + 1,
          posInSet: children.length + place + 1,
          setSize: size,
          leftOut,
          existing,
        }),
      )
      return [self, ...rowsOf(children, level + 1, size), ...leaves]
    })
  }

  const roots = subs.get(-1) ?? []
  return rowsOf(roots, 1, roots.length)
}

const noCounts = { all: 0, left: 0, shown: 0 }

function manifestRow(index: number, label: string, { all, left }: typeof noCounts) {
  const checked = left === 0 ? true : left === all ? false : ('mixed' as const)
  const id = rowId({ kind: 'manifest', index })
  return { id, label, kind: 'node' as const, count: all, ...(all > 0 && { checked }) }
}

function fits(
  { index, name, problems, lost, changed }: ReviewedEntity,
  { search, only }: ReviewFilter,
  existing: Existing,
): boolean {
  if (only === 'existing' && !existing.has(index)) return false
  if (only === 'findings' && problems + lost + changed === 0) return false
  return search === '' || foldName(name).includes(foldName(search))
}

function entityRow(
  entity: ReviewedEntity,
  {
    leftOut,
    existing,
    ...place
  }: Pick<TreeRow, 'level' | 'posInSet' | 'setSize'> & Pick<ReviewState, 'leftOut' | 'existing'>,
): TreeRow {
  const { index, name, problems, lost, changed } = entity
  const choice = leftOut.has(index) ? undefined : existing.get(index)
  const isProblem = problems > 0
  const count = isProblem ? problems : lost + changed
  return {
    ...place,
    id: rowId({ kind: 'entity', index }),
    label: name,
    kind: 'node',
    expanded: null,
    detail: [columnsText(entity), ...(choice ? [texts.choices[choice].toLowerCase()] : [])].join(' · '),
    title: `${name}: ${countsText(entity)}${count === 0 ? '' : `, ${findingsText(entity)}`}`,
    checked: !leftOut.has(index),
    ...(count > 0 && { problems: { severity: isProblem ? 'error' : 'warning', count } }),
  }
}

function columnsText({ attributes, relationships }: ReviewedEntity): string {
  return counted(attributes + relationships, 'column', 'columns')
}

type Counts = Pick<ReviewedEntity, 'attributes' | 'relationships' | 'keys' | 'uniques' | 'indexes'>

export function countsText({ attributes, relationships, keys, uniques, indexes }: Counts): string {
  return [
    counted(attributes, 'attribute', 'attributes'),
    counted(relationships, 'relationship', 'relationships'),
    ...(keys > 0 ? [counted(keys, 'primary key', 'primary keys')] : []),
    ...(uniques > 0 ? [counted(uniques, 'unique constraint', 'unique constraints')] : []),
    ...(indexes > 0 ? [counted(indexes, 'index', 'indexes')] : []),
  ].join(', ')
}

function findingsText({ problems, lost, changed }: ReviewedEntity): string {
  return [
    ...(problems > 0 ? [counted(problems, 'problem', 'problems')] : []),
    ...(lost > 0 ? [`${lost} lost`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
  ].join(', ')
}

type Manifests = ImportReview['manifests']

/** Entities of each manifest and its sub-manifests: all, those left out, and those that the filter shows. */
function countsOfManifests(
  manifests: Manifests,
  entities: readonly ReviewedEntity[],
  { leftOut, filter, existing }: Pick<ReviewState, 'leftOut' | 'filter' | 'existing'>,
) {
  const counts = new Map(manifests.map((_, index) => [index, { ...noCounts }]))
  for (const entity of entities) {
    const isShown = fits(entity, filter, existing)
    for (const at of withParents(manifests, entity.manifest)) {
      const count = counts.get(at)
      if (!count) continue
      count.all += 1
      if (leftOut.has(entity.index)) count.left += 1
      if (isShown) count.shown += 1
    }
  }
  return counts
}

function withParents(manifests: Manifests, manifest: number): number[] {
  const path: number[] = []
  for (let at: number | null = manifest; at !== null; at = manifests[at]?.parent ?? null) path.push(at)
  return path
}

/** Chooses or leaves out the entities at a row: an entity, or all of a manifest that the filter shows. */
export function toggledAt(
  id: string,
  { manifests }: Pick<ImportReview, 'manifests'>,
  entities: readonly ReviewedEntity[],
  { leftOut, filter, existing }: Pick<ReviewState, 'leftOut' | 'filter' | 'existing'>,
): Set<number> {
  const { kind, index } = placeOf(id)
  const isBelow = ({ manifest }: ReviewedEntity) => withParents(manifests, manifest).includes(index)
  const concerned =
    kind === 'entity'
      ? [index]
      : entities.filter(entity => fits(entity, filter, existing) && isBelow(entity)).map(entity => entity.index)
  const next = new Set(leftOut)
  const isAllChosen = concerned.every(one => !leftOut.has(one))
  for (const one of concerned) {
    if (isAllChosen) next.add(one)
    else next.delete(one)
  }
  return next
}
