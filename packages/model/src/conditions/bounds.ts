import { comparisons, isComparison, type Operator } from './condition.ts'
import { evaluated } from './evaluate.ts'
import type { Typed } from './types.ts'

/** The least and largest number that conditions allow for a column, as exact decimal text; exclusive or not. */
export type Bounds = { least?: Bound; largest?: Bound }
type Bound = { readonly value: string; readonly isExclusive: boolean }

/** Bounds that hold for every record, by column: comparisons with a number that stand alone or in a conjunction. */
export function boundsOf<C extends { readonly name: string }>(
  conditions: readonly Typed<C>[],
): ReadonlyMap<string, Bounds> {
  const bounds = new Map<string, Bounds>()
  for (const condition of conditions) addBounds(condition, bounds)
  return bounds
}

function addBounds<C extends { readonly name: string }>(condition: Typed<C>, bounds: Map<string, Bounds>): void {
  if (condition.kind !== 'call') return
  const { operator, operands } = condition
  if (operator === 'and') for (const operand of operands) addBounds(operand, bounds)
  if (operator === 'or') {
    // A missing value passes anyway.
    const others = operands.filter(operand => !(operand.kind === 'call' && operand.operator === 'isNull'))
    const [only] = others
    if (only && others.length === 1 && areOfOneColumn(operands)) addBounds(only, bounds)
  }
  const [left, right] = operands
  if (!isComparison(operator) || !left || !right) return
  if (left.kind === 'column' && right.kind === 'value') addBound(left.column.name, operator, right, bounds)
  if (left.kind === 'value' && right.kind === 'column') addBound(right.column.name, comparisons[operator], left, bounds)
}

function areOfOneColumn<C extends { readonly name: string }>(conditions: readonly Typed<C>[]): boolean {
  const names = conditions.flatMap(condition =>
    condition.kind === 'call'
      ? condition.operands.flatMap(one => (one.kind === 'column' ? [one.column.name] : []))
      : [],
  )
  return new Set(names).size === 1 && names.length === conditions.length
}

function addBound(
  name: string,
  operator: Operator,
  { value, type }: Typed & { kind: 'value' },
  bounds: Map<string, Bounds>,
): void {
  if (value.kind !== 'number' || (type.kind !== 'number' && type.kind !== 'double' && type.kind !== 'single')) return
  const bound = { value: value.value, isExclusive: operator === '<' || operator === '>' }
  const { least, largest } = bounds.get(name) ?? {}
  const isLeast = operator === '>' || operator === '>=' || operator === '='
  const isLargest = operator === '<' || operator === '<=' || operator === '='
  bounds.set(name, {
    ...narrowed('least', isLeast ? bound : undefined, least, '>'),
    ...narrowed('largest', isLargest ? bound : undefined, largest, '<'),
  })
}

function narrowed(side: keyof Bounds, bound: Bound | undefined, former: Bound | undefined, narrower: Operator): Bounds {
  if (!bound || !former) return bound || former ? { [side]: bound ?? former } : {}
  const isNarrower = isTrue(narrower, bound.value, former.value)
  const isSame = isTrue('=', bound.value, former.value)
  return { [side]: isNarrower || (isSame && bound.isExclusive) ? bound : former }
}

function isTrue(operator: Operator, ...numbers: readonly string[]): boolean {
  const type = { kind: 'number', whole: null, scale: 0 } as const
  const operands = numbers.map(
    value => ({ kind: 'value', value: { kind: 'number', value }, type, nullable: false }) as const,
  )
  return (
    evaluated({ kind: 'call', operator, operands, type: { kind: 'condition' }, nullable: false }, () => null) === true
  )
}
