/** A condition or a value as it is written, without what says nothing: casts, collations, parentheses. */
export type Expression =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'text' | 'number' | 'bytes' | 'bits' | 'date' | 'time' | 'timestamp'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'call'; readonly name: string; readonly parts: readonly Expression[] }
  /** Of `all` and `any` the conditions, of `join` the texts, of `list` the values; `sum` and `product` are not reckoned. */
  | { readonly kind: 'all' | 'any' | 'join' | 'list' | 'sum' | 'product'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not' | 'negative' | 'isJson' | 'isNull' | 'isPresent'; readonly part: Expression }
  | { readonly kind: 'compare'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'in'; readonly left: Expression; readonly parts: readonly Expression[] }
  | { readonly kind: 'between'; readonly left: Expression; readonly low: Expression; readonly high: Expression }
  /** `operator` is LIKE, REGEXP or the like, in capitals. */
  | { readonly kind: 'matches'; readonly operator: string; readonly left: Expression; readonly pattern: Expression }

/** The expressions within one. */
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
