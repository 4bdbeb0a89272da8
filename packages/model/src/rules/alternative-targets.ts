import type { AlternativeTarget } from '../entity-attribute.ts'
import { limits } from '../limits.ts'
import { sizeTexts } from '../size-texts.ts'

/** The texts of further targets; `before` are those that the relationship had, which may have come from a file. */
export function alternativeTargets(
  value: readonly AlternativeTarget[],
  before: readonly AlternativeTarget[] = [],
): string | undefined {
  const known = new Set(before.flatMap(texts))
  const isTooLong = (text: string) => text.length > limits.targetText && !known.has(text)
  return value.some(target => texts(target).some(isTooLong)) ? sizeTexts.target : undefined
}

function texts({ entity, attribute }: AlternativeTarget): string[] {
  return [entity.name, entity.path, attribute]
}
