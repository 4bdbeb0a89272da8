import { conditionKey } from '../checks.ts'
import { columnName, columnsOf } from '../columns.ts'
import { attributesIn, type Check, type Condition, withAttributes } from '../conditions/condition.ts'
import { conditionText, readCondition } from '../conditions/text.ts'
import type { EntityContent } from '../entity.ts'
import { newUid } from '../uid.ts'
import type { MatchedTable } from './match.ts'
import { NameReader } from './name-reader.ts'
import type { ParsedCheck, ParsedTable, Report } from './parsed-text.ts'
import { gaps } from './places.ts'
import { quoted } from './tokens.ts'

// A check is a line of a block `checks`: its condition, with its message as a comment, and its name.

/** What the quotes of a condition cannot have. */
export const unwritable = /[`\p{Cc}\p{Cs}\u2028\u2029]/u

/** The condition of a check as a text has it; undefined if it cannot have it. */
function shownCondition({ condition }: Pick<Check, 'condition'>): string | undefined {
  const text = conditionText(condition)
  return unwritable.test(text) || 'fault' in readCondition(text) ? undefined : text
}

/** The line of a check with the text of its condition, in a block of the language; a message that it cannot have is left out. */
export function checkLine({ text, message, name }: Omit<Check, 'condition' | 'uid'> & { text: string }): string {
  const shown = shownMessage({ message })
  const comment = shown === '' ? '' : ` /* ${shown} */`
  return `\`${text}${comment}\`${name === '' ? '' : ` [name: ${quoted(name, "'")}]`}`
}

function shownMessage({ message }: Pick<Check, 'message'>): string {
  return unwritable.test(message) || message.includes('*/') ? '' : message.trim()
}

/** The block `checks` of an entity; '' without checks. */
export function checkBlock({ checks, ...content }: EntityContent): string {
  if (checks.length === 0) return ''
  const names = new Map(columnsOf(content).map(column => [column.uid, columnName(column)]))
  const lines = checks.flatMap(check => {
    const condition = withAttributes(check.condition, one => ({ ...one, name: names.get(one.uid) ?? one.name }))
    const text = shownCondition({ condition })
    return text === undefined ? [] : [`    ${checkLine({ ...check, text })}\n`]
  })
  return lines.length === 0 ? '' : `  checks {\n${lines.join('')}  }\n`
}

/** A condition, and a comment behind it that is no part of a quoted name or text. */
const withComment = /^((?:[^'"/]|'[^']*'|"[^"]*")*)\/\*(.*)\*\/\s*$/s

function partsOf(text: string): { condition: string; message: string } {
  const [, condition = text, message = ''] = withComment.exec(text) ?? []
  return { condition, message: message.trim() }
}

/** What the checks of a table mean, for comparisons. */
export function meaningOfChecks({ checks }: Pick<ParsedTable, 'checks'>): unknown[] {
  return checks.map(({ text, name }) => {
    const { condition, message } = partsOf(text)
    const read = readCondition(condition)
    return [name, message, 'fault' in read ? condition : conditionText(read.condition)]
  })
}

type Line = { parsed: ParsedCheck; check: Check; key: string; former: Former | undefined }
type Former = { check: Check; key: string; line?: Line }

/**
 * The checks of an entity as its table writes them, and where; those that mean what a former one means are the former ones. A name that a
 * line had before it was renamed stands for its column; a check of a deleted line is left out.
 */
export function readChecks(
  { parsed, entity, columns }: MatchedTable,
  report: Report,
): { checks: Check[]; places: readonly (readonly [string, ParsedCheck])[] } {
  const before = entity?.content.checks ?? []
  if (parsed.checks.length === 0 && before.length === 0) return { checks: before, places: [] }
  const reader = new NameReader(columns, entity?.content)
  const keyOf = (condition: Condition) =>
    conditionKey(withAttributes(condition, one => ({ ...one, uid: reader.idOf(one) })))
  const isShown = (check: Check) => shownCondition(check) !== undefined
  const former = before.filter(isShown).map((check): Former => ({ check, key: keyOf(check.condition) }))
  const lines = parsed.checks.flatMap(one => {
    const check = checkIn(one, reader, report)
    return check ? [{ parsed: one, check, key: keyOf(check.condition), former: undefined }] : []
  })
  matchLines(lines, former)
  for (const line of lines) line.check = settled(line)
  const checks = [...lines.map(({ check }) => check), ...before.filter(check => !isShown(check))]
  const isSame = checks.length === before.length && checks.every(check => before.includes(check))
  return { checks: isSame ? before : checks, places: lines.map(({ check, parsed: place }) => [check.uid, place]) }
}

/** Undefined if the condition cannot be read, which is reported, or has a column whose line was deleted. */
function checkIn({ text, name, from }: ParsedCheck, reader: NameReader, report: Report): Check | undefined {
  const { condition, message } = partsOf(text)
  const read = readCondition(condition)
  if ('fault' in read) {
    const start = from + 1
    report({ from: start + read.from, to: start + Math.max(read.to, read.from) }, read.fault)
    return undefined
  }
  const isDeleted = attributesIn(read.condition).some(one => reader.column(one.name) === undefined)
  if (isDeleted) return undefined
  const named = withAttributes(read.condition, one => ({ ...one, ...reader.column(one.name) }))
  return { uid: '', name: name.trim(), message, condition: named }
}

/** By condition and name, by one of them, then by place between others that are the same. */
function matchLines(lines: readonly Line[], former: readonly Former[]): void {
  const keys: readonly ((one: Line | Former) => string | undefined)[] = [
    ({ key, check }) => JSON.stringify([key, check.name, check.message]),
    ({ key, check }) => JSON.stringify([key, check.name]),
    ({ key }) => key,
    ({ check }) => (check.name === '' ? undefined : check.name),
  ]
  for (const keyOf of keys) {
    const open = Map.groupBy(
      former.filter(one => !one.line),
      keyOf,
    )
    for (const line of lines) {
      const key = line.former ? undefined : keyOf(line)
      if (key !== undefined) pair(line, open.get(key)?.shift())
    }
  }
  const places = gaps(
    former,
    one => one.line && one.check.uid,
    () => '',
  )
  for (const [gap, all] of gaps(
    lines,
    line => line.former?.check.uid,
    () => '',
  )) {
    const [[line, ...others], [one, ...more]] = [all, places.get(gap) ?? []]
    if (line && others.length === 0 && more.length === 0) pair(line, one)
  }
}

function pair(line: Line, former: Former | undefined): void {
  if (!former) return
  line.former = former
  former.line = line
}

/** The former check with what the line changed; what a text cannot have of it stays. */
function settled({ check, key, former }: Line): Check {
  if (!former) return { ...check, uid: newUid() }
  const { check: old } = former
  const condition = key === former.key ? old.condition : check.condition
  const message = check.message === shownMessage(old) ? old.message : check.message
  const isSame = condition === old.condition && message === old.message && check.name === old.name
  return isSame ? old : { uid: old.uid, name: check.name, message, condition }
}
