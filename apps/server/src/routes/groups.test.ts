import { checkLine } from '@cadmus/model/checks'
import type { Condition } from '@cadmus/model/conditions/condition'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { saveBody, typeAttributeBody } from '../testing/entities.ts'

describe('The groups of an entity', () => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole()
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  type State = { entity: EntityAnswer; etag: string }
  const get = async (id: number): Promise<State> => {
    const { answer, etag } = await designer.callWithTag(getEntity, { params: { id } })
    return { entity: answer.entity, etag }
  }
  const group = (kind: 'unique' | 'index', names: readonly string[]) => ({
    kind,
    members: names.map(name => ({ name })),
  })
  const create = async (name: string, groups: ReturnType<typeof group>[] = []): Promise<State> => {
    const typeAttributes = ['orderNo', 'lineNo', 'price'].map(one => ({ name: one, dataType: 'integer' as const }))
    const { answer } = await designer.callWithTag(createEntity, { body: { entity: { name, typeAttributes, groups } } })
    return get(answer.entity.id)
  }
  const save = async ({ entity, etag }: State, changes: Parameters<typeof saveBody>[1]): Promise<State> => {
    await designer.callWithTag(updateEntity, {
      params: { id: entity.id },
      body: saveBody(entity, changes),
      ifMatch: etag,
    })
    return get(entity.id)
  }
  const shown = ({ entity }: State) =>
    entity.groups.map(({ kind, members }) => `${kind} ${members.map(({ name }) => name).join()}`)

  it('are created by the names of their attributes, follow renames and lose deleted attributes', async () => {
    const created = await create('GroupedLine', [
      group('unique', ['orderNo', 'lineNo']),
      group('index', ['orderNo', 'lineNo', 'price']),
    ])
    expect(shown(created)).toEqual(['unique orderNo,lineNo', 'index orderNo,lineNo,price'])
    const uids = new Map(created.entity.typeAttributes.map(({ name, uid }) => [name, uid]))
    expect(created.entity.groups[0]?.members.map(({ uid }) => uid)).toEqual([uids.get('orderNo'), uids.get('lineNo')])
    const renamed = await save(created, {
      typeAttributes: created.entity.typeAttributes.map(item => ({
        ...typeAttributeBody(item),
        ...(item.name === 'lineNo' ? { name: 'position' } : {}),
      })),
    })
    expect(shown(renamed)).toEqual(['unique orderNo,position', 'index orderNo,position,price'])
    const left = await save(renamed, {
      typeAttributes: renamed.entity.typeAttributes.filter(({ name }) => name !== 'position').map(typeAttributeBody),
    })
    expect(shown(left)).toEqual(['index orderNo,price'])
  })

  it('sent back as answered are no change', async () => {
    const created = await create('SameGroups', [group('unique', ['orderNo', 'lineNo'])])
    const again = await save(created, { groups: created.entity.groups })
    expect(again.etag).toBe(created.etag)
  })

  it.each([
    ['of one attribute', [group('unique', ['orderNo'])], 'A group needs at least two attributes.'],
    ['of an unknown attribute', [group('index', ['orderNo', 'colour'])], "There is no attribute 'colour'."],
    [
      'of an unknown kind',
      [{ ...group('index', ['orderNo', 'lineNo']), kind: 'hash' as 'index' }],
      'must be \\"unique\\", \\"index\\" or \\"key\\"',
    ],
    [
      'with the same attributes',
      [group('unique', ['orderNo', 'lineNo']), group('unique', ['lineNo', 'orderNo'])],
      'These attributes are unique together already.',
    ],
  ])('%s are refused', async (_, groups, message) => {
    const refusal = await designer.refusal(createEntity, { body: { entity: { name: 'Refused', groups } } })
    expect(refusal.status).toBe(400)
    expect(JSON.stringify(refusal)).toContain(message)
  })

  it('checks are stored as trees, sent as texts, and refused with their faults', async () => {
    const typeAttributes = ['price', 'cost'].map(name => ({ name, dataType: 'integer' as const }))
    const checks = [{ name: 'ck', message: 'Too cheap.', condition: 'price >= Cost' }]
    const { answer } = await designer.callWithTag(createEntity, {
      body: { entity: { name: 'Checked', typeAttributes, checks } },
    })
    const created = await get(answer.entity.id)
    expect(created.entity.checks.map(checkLine)).toEqual(['ck: price >= cost (Too cheap.)'])
    expect((await save(created, { checks: created.entity.checks })).etag).toBe(created.etag)
    for (const [condition, message] of [
      ['price >', 'The condition is incomplete.'],
      ['price > colour', "Check 'price > colour': There is no attribute 'colour'."],
      [nested(60), 'nested deeper'],
    ] as const) {
      const refusal = await designer.refusal(createEntity, {
        body: { entity: { name: 'Refused', typeAttributes, checks: [{ condition }] } },
      })
      expect([refusal.status, JSON.stringify(refusal)]).toEqual([400, expect.stringContaining(message)])
    }
  })
})

/** A condition of so many levels. */
function nested(levels: number): Condition {
  let condition: Condition = { kind: 'boolean', value: true }
  for (let level = 0; level < levels; level += 1) condition = { kind: 'call', operator: 'not', operands: [condition] }
  return condition
}
