import { columnName, columnsOf } from '@cadmus/model/columns'
import { type AttributeOperand, type Expression, withAttributes } from '@cadmus/model/conditions/condition'
import { conditionText, readCondition } from '@cadmus/model/conditions/text'
import { typedValue } from '@cadmus/model/conditions/types'
import type { ComparedContents } from '@cadmus/model/contract/comparison'
import type { DataStep, DataStepKind } from '@cadmus/model/data-steps'
import { dataStepTexts as texts } from '@cadmus/model/messages/data-steps'
import { foldName } from '@cadmus/model/paths'
import { conditionColumn } from '@cadmus/model/rules/checks'
import { dataStepFault } from '@cadmus/model/rules/data-steps'

/** A data step as its dialog shows it: `up`: the value of fill and derive, `lines`: those of map. */
export type DataStepForm = { kind: DataStepKind; attribute: string; up: string; back: string; lines: string }

export type FieldName = 'up' | 'back' | 'lines' | 'attribute'

export const emptyForm: DataStepForm = { kind: 'fill', attribute: '', up: '', back: '', lines: '' }

export function formOf(step: DataStep): DataStepForm {
  const form = { ...emptyForm, kind: step.kind, attribute: step.attribute.uid }
  switch (step.kind) {
    case 'fill':
      return { ...form, up: conditionText(step.value) }
    case 'map':
      return { ...form, lines: step.values.map(({ from, to }) => `${from} = ${to ?? ''}`.trimEnd()).join('\n') }
    case 'derive': {
      const [up, back] = [step.from, step.back].map(value => (value ? conditionText(value) : ''))
      return { ...form, up: up ?? '', back: back ?? '' }
    }
  }
}

type Column = ReturnType<typeof columnsOf>[number]

/** The columns of both states of an entity by uid, those of `after` first. */
export function columnsOfBoth({ before, after }: ComparedContents): Column[] {
  const columns = new Map<string, Column>()
  for (const column of [after, before].flatMap(content => (content ? columnsOf(content) : [])))
    if (!columns.has(column.uid)) columns.set(column.uid, column)
  return [...columns.values()]
}

export type ReadForm = { step: DataStep; fault?: undefined } | { fault: string; field: FieldName; step?: undefined }

/** The step of a form, or what is wrong with one of its fields. */
export function stepOf(form: DataStepForm, uid: string, contents: ComparedContents): ReadForm {
  const attribute = columnsOfBoth(contents).find(column => column.uid === form.attribute)
  if (!attribute) return { fault: texts.noAttribute, field: 'attribute' }
  const common = { uid, attribute: { uid: attribute.uid, name: columnName(attribute) } }
  if (form.kind === 'map') {
    const values = mapOf(form.lines)
    return values ? checked({ kind: 'map', ...common, values }, 'lines') : { fault: texts.noLine, field: 'lines' }
  }
  const up = valueOf(form.up, contents, 'before')
  if (form.kind === 'fill') {
    if (up.fault !== undefined) return { fault: up.fault, field: 'up' }
    return checked({ kind: 'fill', ...common, value: up.value }, 'up')
  }
  const back = valueOf(form.back, contents, 'after')
  const [hasUp, hasBack] = [form.up, form.back].map(text => text.trim() !== '')
  if (hasUp && up.fault !== undefined) return { fault: up.fault, field: 'up' }
  if (hasBack && back.fault !== undefined) return { fault: back.fault, field: 'back' }
  const step = {
    kind: 'derive' as const,
    ...common,
    from: hasUp ? (up.value ?? null) : null,
    back: hasBack ? (back.value ?? null) : null,
  }
  return checked(step, 'up')
}

function checked(step: DataStep, field: FieldName): ReadForm {
  const fault = dataStepFault(step)
  return fault === undefined ? { step } : { fault, field }
}

/** A value before and after an equals sign in each line; undefined if one has none. */
function mapOf(lines: string): { from: string; to: string | null }[] | undefined {
  const values = lines
    .split(/\r?\n/)
    .filter(line => line.trim() !== '')
    .map(line => {
      const at = line.indexOf('=')
      const to = line.slice(at + 1).trim()
      return at < 0 ? undefined : { from: line.slice(0, at).trim(), to: to === '' ? null : to }
    })
  return values.every(value => value !== undefined) ? values : undefined
}

type ReadValue = { value: Expression; fault?: undefined } | { fault: string; value?: undefined }

/** An expression over the columns of one state; those of the other one are found as well, for steps that follow others. */
function valueOf(text: string, contents: ComparedContents, side: 'before' | 'after'): ReadValue {
  const read = readCondition(text)
  if ('fault' in read) return { fault: read.fault }
  const [own, other] = side === 'before' ? [contents.before, contents.after] : [contents.after, contents.before]
  const columns = [own, other].flatMap(content => (content ? columnsOf(content) : []))
  const byName = new Map(columns.toReversed().map(column => [foldName(columnName(column)), column]))
  const columnOf = ({ name }: AttributeOperand) => byName.get(foldName(name))
  const value = withAttributes(read.condition, attribute => {
    const column = columnOf(attribute)
    return column ? { ...attribute, uid: column.uid, name: columnName(column) } : attribute
  })
  const isInheriting = [contents.before, contents.after].some(content => content?.extendsEntity)
  const { fault } = typedValue(value, attribute => {
    const column = columnOf(attribute)
    if (column) return conditionColumn(column)
    return isInheriting ? { type: { kind: 'any' }, nullable: false } : undefined
  })
  return fault === undefined ? { value } : { fault }
}
