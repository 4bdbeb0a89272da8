import { newConfiguration } from '@cadmus/model/configuration'
import { publishTexts } from '@cadmus/model/messages/publish'
import { expect, it } from 'vitest'
import type { RebuildCheck } from '../../api/publications.ts'
import { blockedReason, stateAfter, type Verdict, versionOf } from './publish-again.ts'

const check: RebuildCheck = {
  result: 'OK',
  message: '',
  version: '1.2.1',
  basedOn: '1.2.0',
  suggestion: null,
  opened: [],
  openedCount: 0,
  access: null,
  publishAs: 'PACKAGE',
  apis: ['REST'],
  sql: newConfiguration('Shop').configurationBuild.sqlConfiguration,
  connection: { type: 'HSQL', url: '', databaseName: '', username: '', hasPassword: false },
  choices: [],
  problems: [],
  errors: 0,
  warnings: 0,
}
const attribute = { kind: 'typeAttribute' as const, uid: 'tax' }
const obstacle = { text: '41 records have none.', entity: null, attribute }
const read = <T>(value: T) => ({ value, failed: false as const })
const reading = { failed: false }
const failed = { failed: true }
const clear: Verdict = {
  signIn: false,
  check: read(check),
  running: read(null),
  data: read({ warnings: [], obstacles: [] }),
  version: null,
}

it.each<[Partial<Verdict>, string | false]>([
  [{}, false],
  [{ data: read({ warnings: null, obstacles: [] }) }, false],
  [{ data: read({ warnings: ['A column has records.'], obstacles: [] }) }, false],
  [{ data: read({ warnings: [], obstacles: [obstacle] }) }, publishTexts.blocked.records],
  [{ check: reading }, publishTexts.blocked.reading],
  [{ data: reading }, publishTexts.blocked.reading],
  [{ running: failed }, publishTexts.blocked.unchecked],
  [{ data: failed }, publishTexts.blocked.unchecked],
  [{ check: read({ ...check, errors: 1 }), data: reading }, publishTexts.blocked.errors],
  [{ signIn: true, running: reading, data: reading }, publishTexts.blocked.signIn],
  [{ version: ' ' }, publishTexts.blocked.version],
])('publishing with %o is blocked by %o', (change, reason) => {
  expect(blockedReason({ ...clear, ...change })).toBe(reason)
})

it('the version is the typed one, else the next major one if callers break, else the next patch', () => {
  const breaking = { ...check, suggestion: { version: '2.0.0', reasons: ['x was removed.'] } }
  expect([versionOf(read(check), null), versionOf(read(breaking), null), versionOf(read(breaking), ' 3.0.0 ')]).toEqual(
    ['1.2.1', '2.0.0', '3.0.0'],
  )
})

it('a package is started only where one serves requests', () => {
  const there = { id: '1', name: 'shop', versions: ['1.2.0'] }
  const states = [null, { ...there, status: 'LOADED' }, { ...there, status: 'STARTED' }].map(stateAfter)
  expect(states).toEqual(['LOADED', 'LOADED', 'STARTED'])
  expect(stateAfter({ ...there, status: 'START_FAILED', runningVersion: '1.1.0' })).toBe('STARTED')
})
