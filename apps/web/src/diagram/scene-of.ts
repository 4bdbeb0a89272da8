import type { Difference, Row, Scene } from '@cadmus/diagram/scene'
import type { ComparedDiagram } from '@cadmus/model/contract/comparison'
import { cardLinks, cardRows, cardSize, type CardLink } from '@cadmus/model/diagram/card-rows'
import type { DiagramDetail } from '@cadmus/model/diagram/view'
import type { EntityContent } from '@cadmus/model/entity'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import type { DiagramAnswer } from '../api/diagram.ts'

/** `marks`: how entities and links differ between two states, by index. */
export type DiagramData = Omit<DiagramAnswer, 'version'> & { marks?: ComparedDiagram['marks'] }

/** Unsaved contents of entities, by id. */
export type Unsaved = ReadonlyMap<number, EntityContent>

/** The cards of a diagram with the entities that they stand for. */
export type Cards = {
  readonly scene: Scene
  /** Ids of the entities; -1 for an entity that is not in the organisation. */
  readonly ids: readonly number[]
  readonly byUid: ReadonlyMap<string, number>
  readonly byId: ReadonlyMap<number, number>
  /** Rows of the entities with unsaved edits. */
  readonly draftRows: ReadonlyMap<number, readonly Row[]>
  /** Cards and links that differ between two states. */
  readonly differences: Readonly<Record<'cards' | 'links', ReadonlyMap<number, Difference>>>
}

type Link = Omit<CardLink, 'target'> & { from: number; to: number }

/** The columns of a diagram with unsaved edits. */
type Columns = Record<'ids' | 'areas' | 'rows' | 'keyRows', number[]> & {
  uids: string[]
  names: string[]
  areaNames: string[]
  byId: Map<number, number>
  draftRows: Map<number, readonly Row[]>
  added: Link[]
}

/** What a diagram draws: the stored model with unsaved edits on top. */
export function cardsOf(data: DiagramData, unsaved: Unsaved, detail: DiagramDetail): Cards {
  const columns = columnsOf(data, unsaved)
  const { ids, uids, names, rows, keyRows, areaNames, byId, draftRows, added } = columns
  const rowCounts = Int32Array.from(detail === 'all' ? rows : detail === 'keys' ? keyRows : rows.map(() => 0))
  const areas = Int32Array.from(columns.areas)
  const links = linksOf(data.links, draftRows, added, rowCounts)
  return {
    scene: { count: ids.length, uids, names, areas, areaNames, rowCounts, links },
    ids,
    byUid: new Map(uids.map((uid, card) => [uid, card])),
    byId,
    draftRows,
    differences: { cards: differing(data.marks?.entities), links: differing(data.marks?.links) },
  }
}

const none: ReadonlyMap<number, Difference> = new Map()

function differing(marks: readonly (Difference | 'same')[] | undefined): ReadonlyMap<number, Difference> {
  if (!marks) return none
  return new Map(marks.flatMap((mark, index) => (mark === 'same' ? [] : [[index, mark] as const])))
}

function columnsOf({ areas, entities }: DiagramData, unsaved: Unsaved): Columns {
  const columns: Columns = {
    ids: [...entities.ids],
    uids: [...entities.uids],
    names: [...entities.names],
    areas: [...entities.areas],
    rows: [...entities.rows],
    keyRows: [...entities.keyRows],
    areaNames: areas.map(({ name, kind }) => (kind === 'outside' ? viewTexts.outside : name)),
    byId: new Map(entities.ids.map((id, card) => [id, card])),
    draftRows: new Map(),
    added: [],
  }
  for (const [id, content] of unsaved) {
    const card = columns.byId.get(id)
    if (card === undefined) continue
    const { rows, keyRows } = cardSize(content)
    columns.names[card] = content.name
    columns.draftRows.set(card, cardRows(content))
    columns.rows[card] = rows
    columns.keyRows[card] = keyRows
    for (const { target, ...link } of cardLinks(content))
      columns.added.push({ ...link, from: card, to: cardFor(columns, target) })
  }
  return columns
}

/** The card of an entity that an unsaved relationship refers to; outside if the diagram does not have it yet. */
function cardFor(columns: Columns, { id, name, path }: CardLink['target']): number {
  const card = columns.byId.get(id)
  if (card !== undefined && id >= 0) return card
  const { areaNames } = columns
  const area = areaNames.indexOf(viewTexts.outside)
  columns.areas.push(area < 0 ? areaNames.push(viewTexts.outside) - 1 : area)
  // Replaced by its uid once the relationship is saved.
  columns.uids.push(`${path} ${id}`)
  columns.names.push(name)
  columns.rows.push(0)
  columns.keyRows.push(0)
  const next = columns.ids.push(id) - 1
  columns.byId.set(id, next)
  return next
}

/** Stored links of entities without unsaved edits, then those of the edits. */
function linksOf(
  stored: DiagramAnswer['links'],
  changed: ReadonlyMap<number, unknown>,
  added: readonly Link[],
  rowCounts: Int32Array,
): Scene['links'] {
  const staying = Array.from(stored.uids.keys()).filter(link => !changed.has(stored.from[link]!))
  const column = (name: 'from' | 'to' | 'row' | 'ends') =>
    Int32Array.from([...staying.map(link => stored[name][link]!), ...added.map(link => link[name])])
  const from = column('from')
  return {
    count: from.length,
    uids: [...staying.map(link => stored.uids[link]!), ...added.map(({ uid }) => uid)],
    from,
    to: column('to'),
    row: column('row').map((row, link) => (row < rowCounts[from[link]!]! ? row : -1)),
    ends: Uint8Array.from(column('ends')),
  }
}
