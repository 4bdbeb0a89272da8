import type { DatabaseType } from '@cadmus/model/database-types'
import { quotedText } from '../dialect.ts'
import { doBlock, tableMark } from './in-place.ts'
import type { Witness } from './action.ts'
import type { Frame, FrameContext, ScriptPiece } from './frame.ts'

const together = 'All of it is done or, after an error, nothing.'
const noted = (how: string) =>
  `This database commits each change at once. The table ${journal} notes the steps that are done, until the end.\n${how}`

/** The table of steps that are done. */
const journal = 'cadmus_migration'

const postgresql: Frame = {
  isTransaction: true,
  advice: `${together} It waits ten seconds at most for other transactions.`,
  begin: () => [{ sql: 'BEGIN' }, { sql: "SET LOCAL lock_timeout = '10s'" }],
  test: (_number, text, question) => [
    {
      sql: doBlock(`BEGIN IF (${question}) > 0 THEN RAISE EXCEPTION USING MESSAGE = ${quotedText(text)}; END IF; END`),
    },
  ],
  step: (_number, { sql }) => [{ sql }],
  end: () => [{ sql: 'COMMIT' }],
}

const mssql: Frame = {
  isTransaction: true,
  advice: together,
  begin: () => [{ sql: 'SET XACT_ABORT ON' }, { sql: 'BEGIN TRANSACTION' }],
  test: (_number, text, question) => [{ sql: `IF (${question}) > 0 THROW 50000, N${quotedText(text)}, 1` }],
  step: (_number, { sql }) => [{ sql }],
  end: () => [{ sql: 'COMMIT' }],
}

const mysql: Frame = {
  isTransaction: false,
  advice: noted('After it was broken off, run it again: it goes on after them.'),
  begin: () => [
    {
      sql: `CREATE TABLE IF NOT EXISTS ${journal} (hash CHAR(8) NOT NULL, step INTEGER NOT NULL, done_at DATETIME NOT NULL, PRIMARY KEY (hash, step)) ENGINE=InnoDB`,
    },
  ],
  test: (number, text, question, context) =>
    prepared(
      number,
      // A text is no number, so that its message ends the script.
      `INSERT INTO ${journal} (hash, step, done_at) SELECT ${quotedText(context.hash)}, ${quotedText(text)}, NOW() FROM (SELECT 1) one WHERE (${question}) > 0`,
      null,
      context,
    ),
  step(number, { sql, witness, isData }, context) {
    const pieces = prepared(number, sql, witness, context)
    return isData ? [{ sql: 'START TRANSACTION' }, ...pieces, { sql: 'COMMIT' }] : pieces
  },
  end: () => [{ sql: `DROP TABLE ${journal}` }],
}

function prepared(
  number: number,
  sql: string,
  witness: Witness | null,
  { dialect, hash }: FrameContext,
): ScriptPiece[] {
  const isDone = [
    `EXISTS (SELECT 1 FROM ${journal} WHERE hash = ${quotedText(hash)} AND step = ${number})`,
    ...(witness ? [witnessed(witness, text => dialect.literal({ kind: 'text', value: text }))] : []),
  ].join(' OR ')
  return [
    { sql: `SET @cadmus = IF(${isDone}, 'DO 0', ${dialect.literal({ kind: 'text', value: sql })})` },
    { sql: 'PREPARE cadmus FROM @cadmus' },
    { sql: 'EXECUTE cadmus' },
    { sql: `INSERT IGNORE INTO ${journal} (hash, step, done_at) VALUES (${quotedText(hash)}, ${number}, NOW())` },
  ]
}

/** Whether a statement has been run, although it was broken off before that was noted. */
function witnessed(witness: Witness, literal: (text: string) => string): string {
  const there = (view: string, schema: string, ...conditions: string[]) =>
    `EXISTS (SELECT 1 FROM information_schema.${view} WHERE ${[`${schema} = DATABASE()`, `table_name = ${literal(witness.table)}`, ...conditions].join(' AND ')})`
  switch (witness.kind) {
    case 'table':
      return there('tables', 'table_schema')
    case 'noTable':
      return `NOT ${there('tables', 'table_schema')}`
    case 'mark':
      return there('tables', 'table_schema', `table_comment = ${literal(tableMark)}`)
    case 'index':
      return there('statistics', 'table_schema', `index_name = ${literal(witness.name)}`)
    case 'noIndex':
      return `NOT ${there('statistics', 'table_schema', `index_name = ${literal(witness.name)}`)}`
    case 'foreignKey':
      return there('table_constraints', 'constraint_schema', `constraint_name = ${literal(witness.name)}`)
    case 'noForeignKey':
      return `NOT ${there('table_constraints', 'constraint_schema', `constraint_name = ${literal(witness.name)}`)}`
  }
}

const hsql: Frame = {
  isTransaction: false,
  // Its procedures take no statements that change tables, and DROP CONSTRAINT, DROP COLUMN and renames of columns have no IF EXISTS.
  advice: noted(
    [
      `After it was broken off: SELECT MAX(step) FROM ${journal} is the last step that is done (none: only the tests were run, start again).`,
      'Run the script from the comment of the next step on.',
      'If the first statement then fails because what it makes is there or what it removes is not, it was done and only not noted: go on after it.',
    ].join('\n'),
  ),
  begin: () => [
    {
      sql: `CREATE TABLE IF NOT EXISTS ${journal} (hash CHAR(8) CONSTRAINT cadmus_records_do_not_fit NOT NULL, step INTEGER NOT NULL, done_at TIMESTAMP NOT NULL, PRIMARY KEY (hash, step))`,
    },
  ],
  test: (number, text, question) => [
    {
      sql: `INSERT INTO ${journal} SELECT CAST(NULL AS CHAR(8)), ${number}, LOCALTIMESTAMP FROM (VALUES(0)) WHERE (${question}) > 0`,
      remark: `Step ${number}: ${text}`,
    },
  ],
  step: (number, { sql, entity, isData }, { hash }) => {
    const note = `INSERT INTO ${journal} VALUES (${quotedText(hash)}, ${number}, LOCALTIMESTAMP)`
    return [
      ...(isData ? [{ sql: 'SET AUTOCOMMIT FALSE' }] : []),
      { sql, remark: `Step ${number}: ${entity}` },
      { sql: note },
      ...(isData ? [{ sql: 'COMMIT' }, { sql: 'SET AUTOCOMMIT TRUE' }] : []),
    ]
  },
  end: () => [{ sql: `DROP TABLE ${journal}`, remark: 'The last step' }],
}

/** Errors of a statement that has been run before: what it makes is there, or what it removes is not. */
const doneBefore = [942, 904, 955, 957, 1408, 1418, 1430, 1442, 1451, 2260, 2261, 2264, 2275, 2443]

const oracle: Frame = {
  isTransaction: false,
  advice: noted('After it was broken off, run it again: it goes on after them.'),
  begin: () => [
    {
      sql: block(
        `BEGIN\n  EXECUTE IMMEDIATE ${plText(
          `CREATE TABLE ${journal} (hash CHAR(8) NOT NULL, step NUMBER NOT NULL, done_at TIMESTAMP, PRIMARY KEY (hash, step))`,
        )};\nEXCEPTION WHEN OTHERS THEN IF SQLCODE <> -955 THEN RAISE; END IF;\nEND`,
      ),
      isBlock: true,
    },
  ],
  test: (number, text, question, context) =>
    ifOpen(
      number,
      `EXECUTE IMMEDIATE ${plText(question)} INTO counted;\n    IF counted > 0 THEN RAISE_APPLICATION_ERROR(-20000, ${quotedText(text)}); END IF`,
      context,
    ),
  step: (number, { sql }, context) => ifOpen(number, `EXECUTE IMMEDIATE ${plText(sql)}`, context),
  end: () => [{ sql: `DROP TABLE ${journal}` }],
}

/** A row without a time notes that a step has begun. */
function ifOpen(number: number, statement: string, { hash }: FrameContext): ScriptPiece[] {
  const row = `hash = ${quotedText(hash)} AND step = ${number}`
  const count = (condition: string) => `SELECT COUNT(*) INTO counted FROM ${journal} WHERE ${row}${condition}`
  return [
    {
      sql: block(
        [
          'DECLARE',
          '  counted NUMBER;',
          '  begun NUMBER;',
          'BEGIN',
          `  ${count(` AND done_at IS NOT NULL`)};`,
          '  IF counted > 0 THEN RETURN; END IF;',
          `  ${count('')};`,
          '  begun := counted;',
          `  IF begun = 0 THEN INSERT INTO ${journal} (hash, step) VALUES (${quotedText(hash)}, ${number}); COMMIT; END IF;`,
          '  BEGIN',
          `    ${statement};`,
          `  EXCEPTION WHEN OTHERS THEN IF begun = 0 OR SQLCODE NOT IN (${doneBefore.map(code => `-${code}`).join(', ')}) THEN RAISE; END IF;`,
          '  END;',
          `  UPDATE ${journal} SET done_at = LOCALTIMESTAMP WHERE ${row};`,
          '  COMMIT;',
          'END',
        ].join('\n'),
      ),
      isBlock: true,
    },
  ]
}

function block(text: string): string {
  return `${text};`
}

/** Texts have at most 32,767 bytes, of up to four each. */
function plText(text: string): string {
  const pieces = text.match(/.{1,8000}/gsu) ?? ['']
  return pieces.length === 1 ? quotedText(text) : pieces.map(piece => `TO_CLOB(${quotedText(piece)})`).join(' || ')
}

export const frames: Readonly<Record<DatabaseType, Frame>> = { postgresql, mysql, hsql, oracle, mssql }
