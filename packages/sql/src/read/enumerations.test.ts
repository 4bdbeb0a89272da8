import { describe, expect, it } from 'vitest'
import { readScript } from './script.ts'

function read(script: string) {
  const { tables, enumerations, remarks } = readScript(script, 'postgresql')
  const columns = tables.flatMap(({ columns: all }) =>
    all.map(({ name, enumeration, choices }) => [name, enumerations[enumeration ?? -1]?.name ?? null, choices]),
  )
  return { enumerations, columns, messages: remarks.map(({ kind, message }) => [kind, message]) }
}

describe('Types of a script that list their values', () => {
  it('are enumerations with their last values, which their columns refer to', () => {
    const { enumerations, columns, messages } = read(`
      CREATE TYPE mood AS ENUM ('sad', 'ok');
      ALTER TYPE mood ADD VALUE 'fine' BEFORE 'ok';
      ALTER TYPE mood RENAME VALUE 'sad' TO 'low';
      ALTER TYPE mood RENAME TO feeling;
      CREATE DOMAIN size AS varchar(2) CHECK (VALUE IN ('s', 'm'));
      CREATE DOMAIN shirt AS size;
      COMMENT ON TYPE feeling IS 'how it is';
      CREATE TABLE t (a feeling, b size, c shirt, d feeling[], e text CHECK (e IN ('s', 'm')));`)
    expect(enumerations).toEqual([
      { name: 'feeling', description: 'how it is', values: ['low', 'fine', 'ok'] },
      { name: 'size', description: '', values: ['s', 'm'] },
    ])
    expect(columns).toEqual([
      ['a', 'feeling', ['low', 'fine', 'ok']],
      ['b', 'size', ['s', 'm']],
      ['c', 'size', ['s', 'm']],
      ['d', null, []],
      ['e', null, ['s', 'm']],
    ])
    expect(messages).toEqual([['changed', 'An array is imported as an object.']])
  })

  it('of equal names in two schemas get different ones', () => {
    const { columns, messages } = read(`
      CREATE TYPE a.state AS ENUM ('x'); CREATE TYPE b.state AS ENUM ('y');
      CREATE TABLE t (p a.state, q b.state);`)
    expect(columns).toEqual([
      ['p', 'state', ['x']],
      ['q', 'state_2', ['y']],
    ])
    expect(messages).toEqual([['changed', "Another enumeration is named 'state': this one is named state_2."]])
  })

  it('that enumerations cannot be are reported, and their columns have the values as choices', () => {
    const long = 'x'.repeat(4001)
    const { enumerations, columns, messages } = read(`
      CREATE TYPE long AS ENUM ('${long}'); CREATE DOMAIN grade AS int CHECK (VALUE IN (1, 2));
      CREATE TABLE t (a grade, b long);`)
    expect(enumerations).toEqual([])
    expect(columns).toEqual([
      ['a', null, ['1', '2']],
      ['b', null, [long]],
    ])
    expect(messages).toEqual([
      ['changed', expect.stringContaining("Type 'long' is imported as choices of its columns, not as an enumeration")],
      [
        'changed',
        "Type 'grade' is imported as choices of its columns, not as an enumeration: its values are no texts.",
      ],
    ])
  })

  it('are not those of a column with choices of its own', () => {
    const { columns, messages } = read(`
      CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TABLE t (a mood CHECK (a IN ('ok')));`)
    expect(columns).toEqual([['a', null, ['ok']]])
    expect(messages).toEqual([['note', "'a' has choices of its own: it does not use the enumeration of its type."]])
  })

  it('of MySQL are choices of their column', () => {
    const { tables, enumerations } = readScript("CREATE TABLE `t` (`a` enum('x','y'));", 'mysql')
    expect(enumerations).toEqual([])
    expect(tables[0]?.columns[0]).toMatchObject({ choices: ['x', 'y'], enumeration: null })
  })
})
