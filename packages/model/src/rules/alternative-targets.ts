import type { AlternativeTarget } from '../entity-attribute.ts'
import { limits } from '../limits.ts'
import { sizeTexts } from '../size-texts.ts'
import { hiddenCharacters } from './hidden-characters.ts'

/**
 * The texts of further targets; `before` are those that the relationship had, which may have come from a file. What is told by an id is
 * called as what it stands for is.
 */
export function alternativeTargets(
  value: readonly AlternativeTarget[],
  before: readonly AlternativeTarget[] = [],
): string | undefined {
  const known = new Set(before.flatMap(texts))
  const added = (all: string[]) => all.filter(text => !known.has(text))
  const isTooLong = (text: string) => text.length > limits.targetText
  if (value.some(target => added(texts(target)).some(isTooLong))) return sizeTexts.target
  return added(value.flatMap(written))
    .map(hiddenCharacters)
    .find(message => message !== undefined)
}

function written({ entity, attribute, attributeUid }: AlternativeTarget): string[] {
  return [...(entity.id > 0 ? [] : [entity.name, entity.path]), ...(attributeUid === undefined ? [attribute] : [])]
}

function texts({ entity, attribute }: AlternativeTarget): string[] {
  return [entity.name, entity.path, attribute]
}
