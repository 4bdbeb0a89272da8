import { describe, expect, it } from 'vitest'
import { newConfiguration } from '../configuration.ts'
import type { EntityContent } from '../entity.ts'
import { messages } from '../messages.ts'
import { contentTexts } from '../messages/values.ts'
import { aKey, aList, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { newUid } from '../uid.ts'
import type { ConfigurationEdit } from './configuration-edits.ts'
import { applyEntityEdits, type EntityEdit, invertEntityEdits } from './entity-edits.ts'
import { configurationFromEdits, entityFromEdits } from './requested-content.ts'

const imported = aTypeAttribute({ name: 'code', traits: ['is.code'], copiedFrom: newUid() })
const base = anEntityContent({
  name: 'Order',
  traits: ['is.entity'],
  typeAttributes: aList(aKey(), imported, aTypeAttribute({ name: 'title' })),
  entityAttributes: [aRelationship(anEntity({ name: 'Customer' }), { position: 3, traits: ['is.link'] })],
})
const [, code, title] = base.typeAttributes
const [customer] = base.entityAttributes
const described = (description: string): EntityEdit => ({ kind: 'changeEntity', change: { description } })
const changed = (uid: string, change: object): EntityEdit => ({ kind: 'changeAttributes', changes: [{ uid, change }] })
const added = (item: object): EntityEdit =>
  ({
    kind: 'addAttributes',
    added: [{ item: { ...aTypeAttribute(), position: 4, ...item }, before: null }],
  }) as EntityEdit

function request(edits: readonly EntityEdit[], earlier: EntityContent[] = [], from = base) {
  const steps = entityFromEdits(from, edits, earlier)
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = steps.next()
    if (done) return { ...value, pauses }
  }
}

describe('requested edits of an entity', () => {
  it('are applied in order and change only the given fields', () => {
    const edits = [described('one'), added({ name: 'size' }), described('two')]
    const { content, problems } = request(edits)
    expect(problems).toEqual([])
    expect(content).toEqual(applyEntityEdits(base, edits))
  })

  it('without effect return the same content', () => {
    expect(request([]).content).toBe(base)
    expect(request([described('x'), described(base.description)])).toMatchObject({ content: base, problems: [] })
  })

  it('yield to other work after every twenty edits', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => described(`${index}`))
    expect(request(many(41)).content.description).toBe('40')
    expect([20, 21, 40, 41].map(count => request(many(count)).pauses - request(many(1)).pauses)).toEqual([0, 1, 1, 2])
  })

  it.each<[string, EntityEdit, string, string]>([
    ['type', { kind: 'changeEntity', change: { type: 'CADMUS' } }, 'type', messages.readOnly('type')],
    ['traits', { kind: 'changeEntity', change: { traits: ['x'] } }, 'traits', messages.readOnly('traits')],
    [
      'traits of an attribute',
      changed(title!.uid, { traits: ['x'] }),
      'typeAttributes.2.traits',
      messages.readOnly('traits'),
    ],
    [
      'invalid origin of a new attribute',
      added({ copiedFrom: 'mine' }),
      'typeAttributes.3.copiedFrom',
      messages.readOnly('copiedFrom'),
    ],
    [
      'origin of an attribute',
      changed(title!.uid, { copiedFrom: newUid() }),
      'typeAttributes.2.copiedFrom',
      messages.readOnly('copiedFrom'),
    ],
    [
      'traits of a relationship',
      { kind: 'changeRelationships', changes: [{ uid: customer!.uid, change: { traits: ['x'] } }] },
      'entityAttributes.0.traits',
      messages.readOnly('traits'),
    ],
    ['uid in use', added({ uid: base.uid }), 'typeAttributes.3.uid', contentTexts.unusableUid],
    ['invalid uid', added({ uid: 'mine' }), 'typeAttributes.3.uid', contentTexts.unusableUid],
  ])('cannot set the %s', (_, edit, path, message) => {
    expect(request([described('x'), edit]).problems).toEqual([{ path, message }])
  })

  it('report a value beyond its limits with its path, and change nothing', () => {
    const { content, problems } = request([described('x'), changed(title!.uid, { description: 'x'.repeat(20_001) })])
    expect(content).toBe(base)
    expect(problems.map(({ path }) => path)).toEqual(['typeAttributes.2.description'])
    const long = request([{ kind: 'changeEntity', change: { description: 'x'.repeat(20_001) } }])
    expect(long.problems.map(({ path }) => path)).toEqual(['description'])
  })

  it('drop the traits of a changed attribute, whether or not they contain traits', () => {
    for (const change of [{ description: 'new' }, { description: 'new', traits: [] }]) {
      const { content, problems } = request([changed(code!.uid, change)])
      expect(problems).toEqual([])
      expect(content.typeAttributes[1]).toEqual({ ...code, description: 'new', traits: [] })
    }
  })

  it('restore a removed column with its traits and origin, if it has the form of an earlier state', () => {
    const removals: EntityEdit[] = [
      { kind: 'removeAttributes', uids: [code!.uid] },
      { kind: 'removeRelationships', uids: [customer!.uid] },
    ]
    for (const removal of removals) {
      const removed = request([removal]).content
      const back = invertEntityEdits(base, [removal])
      expect(request(back, [base], removed)).toMatchObject({ content: base, problems: [] })
      expect(request(back, [], removed).problems[0]?.message).toBe(messages.readOnly('traits'))
    }
    const removed = request([{ kind: 'removeAttributes', uids: [code!.uid] }]).content
    const other = request([added({ ...code, description: 'another', position: 1 })], [base], removed)
    expect(other.problems).toEqual([{ path: 'typeAttributes.2.traits', message: messages.readOnly('traits') }])
  })

  it('may name the item that an added attribute was copied from', () => {
    const { content, problems } = request([added({ name: 'code2', copiedFrom: code!.uid })])
    expect([problems, content.typeAttributes[3]?.copiedFrom]).toEqual([[], code!.uid])
  })
})

describe('requested edits of a configuration', () => {
  const configuration = newConfiguration('Shop')
  const set = (...values: [path: string, value: unknown][]): ConfigurationEdit[] =>
    values.map(
      ([path, value]) =>
        ({ kind: 'changeConfiguration', changes: [{ path: path.split('.'), value }] }) as ConfigurationEdit,
    )
  const pool = 'packageProperties.connectionPoolInfo'

  it('change the given fields only', () => {
    const { content, problems } = configurationFromEdits(
      configuration,
      set([`${pool}.url`, 'u'], [`${pool}.username`, 'me'], ['configurationBuild.apiConfiguration.type', ['REST']]),
    )
    expect(problems).toEqual([])
    const { packageProperties, configurationBuild } = configuration
    const { connectionPoolInfo } = packageProperties
    expect(content).toEqual({
      ...configuration,
      packageProperties: {
        ...packageProperties,
        connectionPoolInfo: { ...connectionPoolInfo, url: 'u', username: 'me' },
      },
      configurationBuild: {
        ...configurationBuild,
        apiConfiguration: { ...configurationBuild.apiConfiguration, type: ['REST'] },
      },
    })
  })

  it.each([
    ['packageProperties.nothing', 1],
    ['packageProperties.customProperties.0', 1],
    [`${pool}.url.length`, 1],
    ['__proto__.x', 1],
    ['packageProperties', {}],
  ])('are refused at a path without a field: %s', (path, value) => {
    expect(configurationFromEdits(configuration, set([`${pool}.url`, 'u'], [path, value]))).toEqual({
      content: configuration,
      problems: [{ path, message: messages.noField }],
    })
  })

  it('are refused at an invalid value, with its path', () => {
    const refused = configurationFromEdits(configuration, set(['configurationBuild.apiConfiguration.type', ['FTP']]))
    expect(refused.content).toBe(configuration)
    expect(refused.problems.map(({ path }) => path)).toEqual(['configurationBuild.apiConfiguration.type.0'])
  })
})
