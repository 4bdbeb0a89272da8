/** A condition or value as written, without casts, collations and parentheses. */
export type Expression =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'text' | 'number' | 'bytes' | 'bits' | 'date' | 'time' | 'timestamp'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'call'; readonly name: string; readonly parts: readonly Expression[] }
  /**
   * The conditions of `all` and `any`, the texts of `join`, the values of `list`; `sum` and `product` are not
   * evaluated.
   */
  | { readonly kind: 'all' | 'any' | 'join' | 'list' | 'sum' | 'product'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not' | 'negative' | 'isJson' | 'isNull' | 'isPresent'; readonly part: Expression }
  | { readonly kind: 'compare'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'in'; readonly left: Expression; readonly parts: readonly Expression[] }
  | { readonly kind: 'between'; readonly left: Expression; readonly low: Expression; readonly high: Expression }
  /** `operator` is in capitals: LIKE, REGEXP and the like. */
  | { readonly kind: 'matches'; readonly operator: string; readonly left: Expression; readonly pattern: Expression }

export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'call':
    case 'all':
    case 'any':
    case 'join':
    case 'list':
    case 'sum':
    case 'product':
      return expression.parts
    case 'not':
    case 'negative':
    case 'isJson':
    case 'isNull':
    case 'isPresent':
      return [expression.part]
    case 'compare':
      return [expression.left, expression.right]
    case 'in':
      return [expression.left, ...expression.parts]
    case 'between':
      return [expression.left, expression.low, expression.high]
    case 'matches':
      return [expression.left, expression.pattern]
    default:
      return []
  }
}

export const comparisons = new Set(['=', '<', '>', '<=', '>=', '<>', '!='])
/** Functions that are called without parentheses. */
export const moments = new Set(
  `CURRENT_TIMESTAMP CURRENT_DATE CURRENT_TIME LOCALTIME LOCALTIMESTAMP SYSDATE SYSTIMESTAMP CURRENT_USER SESSION_USER USER
  CURRENT_ROLE`.split(/\s+/),
)
/** Words that continue the name of a type. */
export const typeWords = new Set(
  'VARYING PRECISION WITH WITHOUT LOCAL TIME ZONE LARGE OBJECT UNSIGNED SIGNED INTEGER'.split(' '),
)
