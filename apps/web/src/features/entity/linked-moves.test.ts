import { columnName, columnsInOrder, columnsOf } from '@cadmus/model/columns'
import { applyEntityEdits, type EntityEdit } from '@cadmus/model/edits/entity-edits'
import { renamedColumn } from '@cadmus/model/edits/copy-columns'
import { removeAttributesEdits } from '@cadmus/model/edits/entity-actions'
import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changesQuery } from '../../api/edit-log.ts'
import { entityQuery } from '../../api/entities.ts'
import { queryClient } from '../../api/query-client.ts'
import { currentScope } from '../../api/scope.ts'
import { type DraftKey, draftKey } from '../../drafts/draft-key.ts'
import { takeStep } from '../../drafts/take-back.ts'
import { typedStore } from '../../ui/typed-text.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import { entityStandIn } from '../../drafts/entity-draft.ts'
// Registers that moves are linked.
import './entity-saves.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { storedEntity } from '../../text/stored-entity.ts'
import { groupOfColumns } from '@cadmus/model/edits/group-edits'
import { TextSource } from '../../text/text-source.ts'
import { TextSteps } from '../../text/text-steps.ts'
import { causeOfMove, editsOfMove, moveColumns, movePartners } from './linked-moves.ts'

let lastId = 5000

function opened(...names: string[]) {
  const id = ++lastId
  const typeAttributes = names.map((name, position) => newTypeAttribute({ name, position }))
  const content = newEntityContent({ name: `Entity${id}`, typeAttributes, entityAttributes: [] })
  workbench.getState().openInBackground({ kind: 'entity', id, name: content.name })
  entityStore.receive(entityStandIn(id, content, undefined), `"${id}"`, undefined)
  const key = draftKey(id, undefined)
  const draft = () => {
    const open = entityStore.get(key)
    if (!open) throw new Error('The entity is not open.')
    return open.draft
  }
  return { id, key, draft, content, names: () => columnsOf(draft().content).map(columnName) }
}

/** `phone` and `fax` of one entity, moved to another. */
function moved() {
  const [source, target] = [opened('phone', 'fax', 'note'), opened('id')]
  moveColumns(source.key, target.key, source.content.typeAttributes.slice(0, 2), 'keep')
  const names = () => [source.names(), target.names()]
  return { source, target, names }
}

const before = [['phone', 'fax', 'note'], ['id']]
const after = [['note'], ['id', 'phone', 'fax']]
const step = (key: DraftKey, kind: 'undo' | 'redo' | 'discard') => entityStore.dispatch(key, { kind })

describe('a move between two entities', () => {
  it('is one step in each, with the same uids', () => {
    const { source, target, names } = moved()
    expect(names()).toEqual(after)
    expect([source.draft().done.length, target.draft().done.length]).toEqual([1, 1])
    const uids = target
      .draft()
      .content.typeAttributes.slice(1)
      .map(({ uid }) => uid)
    expect(uids).toEqual(source.content.typeAttributes.slice(0, 2).map(({ uid }) => uid))
  })

  it.each(['source', 'target'] as const)('undone in the %s is undone in both, and so is redo', which => {
    const { names, ...entities } = moved()
    const { key } = entities[which]
    step(key, 'undo')
    expect(names()).toEqual(before)
    expect([entities.source.draft().changes, entities.target.draft().changes]).toEqual([0, 0])
    step(key, 'redo')
    expect(names()).toEqual(after)
    step(key, 'undo')
    expect(names()).toEqual(before)
  })

  it.each(['source', 'target'] as const)('discarded in the %s leaves no column in both or in none', which => {
    const { names, ...entities } = moved()
    const { key } = entities[which]
    for (const { key: either } of [entities.source, entities.target])
      entityStore.edit(either, () => [{ kind: 'changeEntity', change: { description: 'later' } }])
    step(key, 'discard')
    expect(names().map(list => list.toSorted())).toEqual(before.map(list => list.toSorted()))
    const other = entities[which === 'source' ? 'target' : 'source']
    expect(other.draft().content.description).toBe('later')
  })

  it.each(['source', 'target'] as const)('is taken back when the %s is closed without saving', which => {
    const { names, ...entities } = moved()
    entityStore.close([entities[which].key])
    const other = which === 'source' ? entities.target : entities.source
    expect(other.names()).toEqual(which === 'source' ? ['id'] : ['phone', 'fax', 'note'])
    expect(names).toBeDefined()
  })

  it('returns a column to its entity when it is removed from the other one', () => {
    const { target, names, source } = moved()
    const [uid = ''] = source.content.typeAttributes.map(item => item.uid)
    entityStore.edit(target.key, () => removeAttributesEdits([uid]))
    expect(names()).toEqual([
      ['note', 'phone'],
      ['id', 'fax'],
    ])
  })

  it('of an attribute that was never saved is undone in both', () => {
    const [source, target] = [opened('id'), opened('id')]
    const item = newTypeAttribute({ name: 'fresh', position: 1 })
    entityStore.edit(source.key, () => [{ kind: 'addAttributes', added: [{ item, before: null }] }])
    moveColumns(source.key, target.key, [item])
    step(target.key, 'undo')
    expect([source.names(), target.names()]).toEqual([['id', 'fresh'], ['id']])
  })

  it('takes along the groups of which all members move, and returns them with Undo', () => {
    const [source, target] = [opened('phone', 'fax', 'note'), opened('id')]
    const [phone, fax, note] = source.content.typeAttributes
    const whole = groupOfColumns('unique', [phone!, fax!])
    const part = groupOfColumns('index', [fax!, note!])
    entityStore.edit(source.key, () => [{ kind: 'changeEntity', change: { groups: [whole, part] } }])
    moveColumns(source.key, target.key, [phone!, renamedColumn(fax!, 'telefax')])
    const groups = () =>
      [source, target].map(({ draft }) =>
        draft().content.groups.map(({ uid, members }) => [uid, ...members.map(({ name }) => name)]),
      )
    const gone = [[], [[whole.uid, 'phone', 'telefax']]]
    expect(groups()).toEqual(gone)
    expect([source.draft().done.length, target.draft().done.length]).toEqual([2, 1])
    const place = { id: source.id, version: undefined, scope: currentScope() }
    const edits = movePartners(source.draft(), place).targets.flatMap(partner => editsOfMove(partner))
    expect(applyEntityEdits(target.draft().base, edits)).toEqual(target.draft().content)
    step(target.key, 'undo')
    const there = [
      [
        [whole.uid, 'phone', 'fax'],
        [part.uid, 'fax', 'note'],
      ],
      [],
    ]
    expect([groups(), target.draft().done.length]).toEqual([there, 0])
    step(source.key, 'redo')
    expect(groups()).toEqual(gone)
    step(source.key, 'undo')
    expect([groups(), target.draft().done.length]).toEqual([there, 0])
  })

  it('does not follow the deletion of a column that was moved and taken back', () => {
    const { source, target, names } = moved()
    step(target.key, 'undo')
    const uids = source.content.typeAttributes.slice(0, 2).map(({ uid }) => uid)
    entityStore.edit(source.key, () => removeAttributesEdits(uids))
    expect(names()).toEqual([['note'], ['id']])
  })
})

describe('the save of a move', () => {
  const partnersOf = ({ draft, id }: ReturnType<typeof opened>) =>
    movePartners(draft(), { id, version: undefined, scope: currentScope() })

  it('includes the other entity with the edits of the move alone', () => {
    const { source, target } = moved()
    for (const { key } of [source, target])
      entityStore.edit(key, () => [{ kind: 'changeEntity', change: { description: 'unsaved' } }])
    const uids = source.content.typeAttributes.slice(0, 2).map(({ uid }) => uid)
    const ofTarget = partnersOf(target)
    expect([ofTarget.sources.map(({ key }) => key), ofTarget.targets]).toEqual([[source.key], []])
    expect(ofTarget.sources.map(partner => editsOfMove(partner))).toEqual([[{ kind: 'removeAttributes', uids }]])
    const ofSource = partnersOf(source)
    expect([ofSource.sources, ofSource.targets.map(({ key }) => key)]).toEqual([[], [target.key]])
    const [addition] = ofSource.targets.flatMap(partner => editsOfMove(partner))
    expect(addition).toMatchObject({ kind: 'addAttributes', added: uids.map(uid => ({ item: { uid } })) })
  })

  it('has no partner once the move is saved, or without a move', () => {
    const { source, target } = moved()
    const answer = entityStandIn(target.id, target.draft().content, undefined)
    entityStore.receive(answer, '"next"', undefined)
    expect(target.draft().changes).toBe(0)
    expect(partnersOf(source)).toEqual({ sources: [], targets: [] })
    expect(partnersOf(opened('id'))).toEqual({ sources: [], targets: [] })
  })

  it('sends a column at the place that it has among others, so that nothing of the move stays unsaved', () => {
    const [source, target] = [opened('phone'), opened('id', 'note')]
    const [phone] = source.content.typeAttributes
    moveColumns(source.key, target.key, [phone!])
    entityStore.edit(target.key, content => {
      const [id, note, added] = content.typeAttributes
      const places = [id, added, note].flatMap((one, position) => (one ? [{ uid: one.uid, position }] : []))
      return [{ kind: 'moveColumns', moves: [], places }]
    })
    const edits = partnersOf(source).targets.flatMap(partner => editsOfMove(partner))
    const { base, content } = target.draft()
    expect(columnsInOrder(applyEntityEdits(base, edits)).map(columnName)).toEqual(['id', 'phone', 'note'])
    expect(columnsInOrder(content).map(columnName)).toEqual(['id', 'phone', 'note'])
  })

  it('sends a renamed column under its new name', () => {
    const [source, target] = [opened('phone'), opened('phone')]
    const [phone] = source.content.typeAttributes
    moveColumns(source.key, target.key, [renamedColumn(phone!, 'phone2')])
    const [edit] = partnersOf(source).targets.flatMap(partner => editsOfMove(partner))
    expect(edit).toMatchObject({ added: [{ item: { uid: phone!.uid, name: 'phone2', traits: [] } }] })
  })
})

describe('a move made in the text of a manifest', () => {
  it('is one step over both entities, with a change of order', () => {
    const [one, two] = [opened('phone', 'fax'), opened('id', 'note')]
    const source = new TextSource()
    const entities = [one, two].map(({ id, content }) =>
      storedEntity({ entity: entityStandIn(id, content, undefined), etag: `"${id}"` }),
    )
    source.set({ project: null, entities, others: [], isOld: false })
    const steps = new TextSteps()
    const names = () => [one, two].map(({ draft }) => columnsInOrder(draft().content).map(columnName))
    const [phone] = one.content.typeAttributes
    const [, note] = two.content.typeAttributes
    const added = [{ item: { ...phone!, position: 1 }, before: null }]
    const edits = new Map<number, readonly EntityEdit[]>([
      [
        two.id,
        [
          { kind: 'addAttributes', added },
          { kind: 'moveColumns', moves: [], places: [{ uid: note!.uid, position: 2 }] },
        ],
      ],
      [one.id, [{ kind: 'removeAttributes', uids: [phone!.uid] }]],
    ])
    steps.make(source, new Map([[two.id, [{ kind: 'changeEntity', change: { description: 'earlier' } }]]]), new Map())
    steps.make(source, edits, new Map())
    const [before, moved] = [
      [
        ['phone', 'fax'],
        ['id', 'note'],
      ],
      [['fax'], ['id', 'phone', 'note']],
    ]
    expect(names()).toEqual(moved)
    steps.take('undo')
    expect([names(), two.draft().content.description]).toEqual([before, 'earlier'])
    steps.take('redo')
    expect(names()).toEqual(moved)
    steps.take('undo')
    steps.take('undo')
    expect([names(), two.draft().content.description]).toEqual([before, two.content.description])
  })
})

describe('a saved move', () => {
  // Other files may leave a field with text, for which the page would wait.
  beforeEach(() => typedStore.setState(typedStore.getInitialState()))
  afterEach(() => vi.restoreAllMocks())

  /** `phone`, moved from one entity to the other and saved by one request, whose entries are 7 and 8. */
  function savedMove({ later = [] as readonly number[] } = {}) {
    const [source, target] = [opened('note'), opened('id')]
    const phone = newTypeAttribute({ name: 'phone', position: 1 })
    const withPhone = ({ content }: ReturnType<typeof opened>) => ({
      ...content,
      typeAttributes: [...content.typeAttributes, phone],
    })
    const states = new Map([
      [source.key, { before: withPhone(source), after: source.content, sequence: 7, id: source.id }],
      [target.key, { before: target.content, after: withPhone(target), sequence: 8, id: target.id }],
    ])
    entityStore.receive(entityStandIn(target.id, withPhone(target), undefined), '"moved"', undefined)
    vi.spyOn(entityStore, 'statesOf').mockImplementation(async key => {
      const { before, after, id } = states.get(key)!
      const others = [...states.values()]
        .filter(one => one.id !== id)
        .map(one => ({ document: { kind: 'entity', id: one.id }, sequence: one.sequence, description: 'Moved phone' }))
      return { before, after, others }
    })
    const entry = (sequence: number) => ({
      sequence,
      changeId: sequence > 8 ? sequence : 1,
      entryId: sequence,
      operationId: null,
      description: 'Moved phone',
      version: '1.0.0',
      at: '2026-01-01T10:00:00Z',
      actor: { name: 'Ann' },
      own: true,
      follows: false,
      before: '"a"',
      after: `"${sequence}"`,
    })
    for (const { draft, key, id } of [source, target]) {
      const own = states.get(key)!.sequence
      const log = [...(key === target.key ? later : []), own].map(entry)
      queryClient.setQueryData(changesQuery('entity', id, draft().etag).queryKey, log)
    }
    const names = () => [source.names(), target.names()]
    return { source, target, names }
  }

  it.each([
    ['source', 'target'],
    ['target', 'source'],
  ] as const)('is taken back in both entities by undo in the %s, while the %s is not open', async (which, closed) => {
    const { names: _names, ...entities } = savedMove()
    const { key } = entities[which]
    const other = entities[closed]
    const { saved, etag } = other.draft()
    workbench
      .getState()
      .closeTabs([...workbench.getState().tabs].flatMap(tab => (tab.id === other.id ? [tab.tabId] : [])))
    entityStore.close([other.key])
    queryClient.setQueryData(entityQuery(other.id).queryKey, { entity: saved, etag })
    expect(await takeStep(entityStore, key, 'undo')).toBe(true)
    expect([entities.source.names(), entities.target.names()]).toEqual([['note', 'phone'], ['id']])
    expect(await takeStep(entityStore, key, 'redo')).toBe(true)
    expect(entities[which].names()).toEqual(which === 'source' ? ['note'] : ['id', 'phone'])
    // Without changes it is closed again.
    await expect.poll(() => entityStore.get(other.key)).toBeUndefined()
  })

  it('taken back is saved in both entities as the reversal of both', async () => {
    const { source, target } = savedMove()
    await takeStep(entityStore, source.key, 'undo')
    const { sources: from } = movePartners(source.draft(), { id: source.id, version: undefined, scope: currentScope() })
    expect(from.map(({ key }) => key)).toEqual([target.key])
    expect(from.map(one => causeOfMove(one, editsOfMove(one)))).toEqual([{ kind: 'undo', sequence: 8 }])
    entityStore.edit(target.key, () => [{ kind: 'changeEntity', change: { description: 'later' } }])
    const again = movePartners(source.draft(), { id: source.id, version: undefined, scope: currentScope() })
    expect(again.sources.map(one => causeOfMove(one, editsOfMove(one)))).toEqual([undefined])
  })

  it('below a later change of the other entity is taken back there as a change like any other', async () => {
    const { source, target, names } = savedMove({ later: [9] })
    await takeStep(entityStore, source.key, 'undo')
    expect(names()).toEqual([['note', 'phone'], ['id']])
    expect([source, target].map(({ draft }) => draft().done.map(({ cause }) => cause))).toEqual([
      [{ kind: 'undo', sequence: 7 }],
      [undefined],
    ])
  })
})
