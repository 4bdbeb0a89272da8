import * as z from 'zod'
import { limits } from '../limits.ts'

/** Operators and functions of checks, whose result is the same on all databases: no division, no order of texts. */
const checkOperators = [
  'and',
  'or',
  'not',
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'isNull',
  '+',
  '-',
  '*',
  'length',
  'lower',
  'upper',
  'trim',
  'concat',
  'coalesce',
  'year',
  'month',
  'day',
] as const
/** Those of data steps, too: `part(text, separator, n)` is the n-th part of a text from 1; null if it has fewer. */
const operators = [...checkOperators, 'part'] as const
export type Operator = (typeof operators)[number]

/** Those that are written as `name(operands)`. */
export const checkFunctions = [
  'length',
  'lower',
  'upper',
  'trim',
  'concat',
  'coalesce',
  'year',
  'month',
  'day',
] as const satisfies readonly Operator[]
export const functions = [...checkFunctions, 'part'] as const

/** Comparisons, each with the one of exchanged sides. */
export const comparisons = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
} as const satisfies Partial<Record<Operator, Operator>>
export type Comparison = keyof typeof comparisons

export function isComparison(operator: Operator): operator is Comparison {
  return operator in comparisons
}

/**
 * An expression over the columns of an entity. A column has its uid; an inherited one has none, and is known by its name. A number is exact
 * decimal text.
 */
export type Expression =
  | { kind: 'attribute'; uid: string; name: string }
  | { kind: 'number' | 'text'; value: string }
  | { kind: 'boolean'; value: boolean }
  | Call
export type Call = { kind: 'call'; operator: Operator; operands: Expression[] }
export type AttributeOperand = Extract<Expression, { kind: 'attribute' }>

/** An expression that is true, false or unknown. */
export type Condition = Expression

const schemaOf = (all: readonly Operator[]): z.ZodType<Expression> => {
  const schema: z.ZodType<Expression> = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('attribute'), uid: z.string(), name: z.string() }),
    z.strictObject({ kind: z.enum(['number', 'text']), value: z.string() }),
    z.strictObject({ kind: z.literal('boolean'), value: z.boolean() }),
    z.strictObject({
      kind: z.literal('call'),
      operator: z.enum(all),
      get operands() {
        return z.array(schema)
      },
    }),
  ])
  return schema
}

export const conditionSchema: z.ZodType<Condition> = schemaOf(checkOperators)
/** The value of a data step. */
export const valueSchema: z.ZodType<Expression> = schemaOf(operators)

/** A rule that every record of an entity meets. `name`: of the constraint in databases, '' for an automatic one; `message`: of a violation. */
export const checkSchema = z.object({
  uid: z.string(),
  name: z.string(),
  message: z.string(),
  condition: conditionSchema,
})
export type Check = z.infer<typeof checkSchema>

export function call(operator: Operator, ...operands: Expression[]): Call {
  return { kind: 'call', operator, operands }
}

/** The columns in an expression, in the order of the text, perhaps repeated. */
export function attributesIn(expression: Expression): AttributeOperand[] {
  if (expression.kind === 'attribute') return [expression]
  return expression.kind === 'call' ? expression.operands.flatMap(attributesIn) : []
}

/** The expression with other columns; the same object if none changes. */
export function withAttributes<T extends Expression>(
  expression: T,
  map: (attribute: AttributeOperand) => AttributeOperand,
): T | Expression {
  if (expression.kind === 'attribute') return map(expression)
  if (expression.kind !== 'call') return expression
  const operands = expression.operands.map(operand => withAttributes(operand, map))
  return operands.every((operand, at) => operand === expression.operands[at]) ? expression : { ...expression, operands }
}

/** Whether the expression has more nodes, levels or characters than a check may have; stops there. */
export function isTooLarge(expression: Expression): boolean {
  let nodes = 0
  let characters = 0
  const exceeds = (inner: Expression, depth: number): boolean => {
    nodes += 1
    characters += lengthOf(inner)
    const { checks } = limits
    if (nodes > checks.nodes || depth > checks.depth || characters > checks.text) return true
    return inner.kind === 'call' && inner.operands.some(operand => exceeds(operand, depth + 1))
  }
  return exceeds(expression, 1)
}

/** Of what is no call. */
function lengthOf(expression: Expression): number {
  switch (expression.kind) {
    case 'attribute':
      return expression.uid.length + expression.name.length
    case 'number':
    case 'text':
      return expression.value.length
    default:
      return 0
  }
}
