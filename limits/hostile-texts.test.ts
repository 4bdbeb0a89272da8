import { parseJson } from '@cadmus/formats/cdm/json'
import { FreeNames } from '@cadmus/model/free-names'
import { namePattern } from '@cadmus/model/rules/names'
import { repeatedKey } from '@cadmus/model/values/json'
import { syntaxFault } from '@cadmus/model/values/json-syntax'
import { visibleText } from '@cadmus/model/display'
import { expect, it } from 'vitest'
import { readConnectionUrl } from '../apps/instance/src/drivers/connection-url.ts'
import { fitOf } from '../apps/web/src/features/shell/palette-match.ts'
import { within } from './within.ts'

it('100,000 hidden characters are made visible in linear time', () => {
  expect(within(2000, () => visibleText('\u202E'.repeat(100_000)))).toHaveLength(800_000)
})

it('20,000 equal names become different ones in linear time', () => {
  const free = new FreeNames()
  const names = within(2000, () => Array.from({ length: 20_000 }, () => free.take('default')))
  expect(new Set(names).size).toBe(20_000)
  expect(names.at(-1)).toBe('default_20000')
})

it('a repeated JSON key is detected in linear time', () => {
  const long = 'x\\\\'.repeat(4_000_000)
  expect(within(5000, () => repeatedKey(`{"a":"${long}","b":1,"a":2}`))).toBe('a')
  expect(within(2000, () => repeatedKey(`${'["\\\\'.repeat(100_000)}`))).toBeUndefined()
  expect(within(2000, () => repeatedKey(`[${'{"a":"\\\\"},'.repeat(100_000)}0]`))).toBeUndefined()
})

it('a syntax error in deeply nested JSON is located in linear time', () => {
  expect(within(2000, () => syntaxFault('['.repeat(1_000_000)))).toMatchObject({ line: 1, column: 1_000_001 })
  expect(within(2000, () => syntaxFault(`["${'a'.repeat(4_000_000)}"]`))).toBeUndefined()
})

it('a name of a million characters is refused in linear time', () => {
  expect(within(1000, () => namePattern(`${'a_'.repeat(500_000)}!`))).toContain('not with "!"')
})

it('a CDM document of quotes and backslashes is parsed in linear time', () => {
  within(5000, () => expect(() => parseJson(`["${'\\'.repeat(999_999)}`, 'a.json')).toThrow('is not a JSON document'))
  expect(within(5000, () => parseJson(`["${'\\"'.repeat(500_000)}"]`, 'a.json'))).toEqual(['"'.repeat(500_000)])
})

it('a connection address of a million characters is refused in linear time', () => {
  for (const length of [240, 1_000_000])
    expect(within(2000, () => readConnectionUrl(`jdbc:postgresql://${'a-'.repeat(length)}`))).toBeNull()
})

it('the palette matches a hostile text in linear time', () => {
  expect(within(2000, () => fitOf('aA'.repeat(50_000), `${'a'.repeat(200)}z`))).toBeNull()
})
