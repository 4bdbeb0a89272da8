import { readScript } from '@cadmus/sql/read/script'
import { SqlError } from '@cadmus/sql/read/token'
import { describe, it } from 'vitest'
import { within } from './within.ts'

function readOrRefuse(script: string): void {
  try {
    readScript(script)
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
  }
}

const size = 100_000
const repeated = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size)

describe('reading SQL of 100,000 characters', () => {
  it.each([
    "'",
    '"',
    '`',
    '[',
    '(',
    ')',
    ';',
    '\\',
    '-',
    '/*',
    '*/',
    '$a$',
    '$',
    'GO\n',
    '\n',
    '\\a\n',
    'a',
    '1',
    '1e',
    '.',
    '0x',
    "x'",
    '\u{1f600}',
    '\ud800',
    '@',
    'CREATE TABLE ',
    'CREATE TABLE t (a int);',
    'a int,',
    'CREATE ',
    'CREATE OR ',
    'DELIMITER ;;\n',
    "DEFAULT 'a' ",
    'NOT ',
    '-- x\n',
    '/*! ',
    'ALTER TABLE t ADD a int;',
    'INSERT INTO t VALUES (1);',
    'COPY t FROM stdin;\n',
    'EXEC x ',
    "N'a',",
  ])('reads or refuses repeated %j within seconds, alone and inside a table', text => {
    for (const [before, after] of [
      ['', ''],
      ['CREATE TABLE t (a int ', ');'],
      ['CREATE TABLE t (a int DEFAULT (', '));'],
      ['CREATE TABLE `t` (`a` enum(', '))'],
      ['CREATE TABLE [t] ([a] int CHECK ([a] = ', '))\nGO\n'],
    ] as const) {
      const script = `${before}${repeated(text)}${after}`
      within(10_000, () => readOrRefuse(script))
    }
  })

  it.each([
    ['nested parentheses in a check', `CREATE TABLE t (a int CHECK (${'('.repeat(size / 2)}a${')'.repeat(size / 2)}))`],
    ['a long list', `CREATE TABLE t (a int CHECK (a IN (${repeated('1,')}1)))`],
    ['a long chain of conditions', `CREATE TABLE t (a int CHECK (${repeated('a=1 OR ')}a=2))`],
    ['many signs', `CREATE TABLE t (a int DEFAULT ${repeated('- ')}1)`],
    ['nested calls', `CREATE TABLE t (a int DEFAULT ${repeated('REPLACE(')}1)`],
    ['many columns of one name', `CREATE TABLE t (${repeated('a int,')} b int)`],
    ['many tables of one name', repeated('CREATE TABLE t(a int);')],
    ['a long name', `CREATE TABLE ${'x'.repeat(size)} (a int)`],
    [
      'nested conditions',
      `CREATE TABLE t (a int CHECK (b IS NOT NULL AND (${'a IS NOT NULL AND '.repeat(130_000)}a IS NOT NULL)))`,
    ],
    [
      'nested conditions on one column',
      `CREATE TABLE t (a int CHECK (a IS NOT NULL AND (${'a IS NOT NULL AND '.repeat(130_000)}a IS NOT NULL)))`,
    ],
    ['many keys', `CREATE TABLE t (a int, ${repeated('UNIQUE(a),')} b int)`],
  ])('reads or refuses within seconds: %s', (_, script) => {
    within(10_000, () => readOrRefuse(script))
  })
})
