import type { AlternativeTarget } from '../entity-attribute.ts'
import { limits } from '../limits.ts'
import { sizeTexts } from '../size-texts.ts'

/** Limits the texts of alternative targets. `before`: the existing ones, which are accepted because an import may have created them. */
export function alternativeTargets(
  value: readonly AlternativeTarget[],
  before: readonly AlternativeTarget[] = [],
): string | undefined {
  const existing = new Set(before.flatMap(texts))
  const isTooLong = (text: string) => text.length > limits.targetText && !existing.has(text)
  return value.some(target => texts(target).some(isTooLong)) ? sizeTexts.target : undefined
}

function texts({ entity, attribute }: AlternativeTarget): string[] {
  return [entity.name, entity.path, attribute]
}
