import { changeAttributeEdits } from '@cadmus/model/edits/entity-actions'
import { entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'

const attributes = ['first'].map((name, position) => newTypeAttribute({ name, position, description: 'a' }))
export const places = [...attributes.map(({ uid }) => uid), 'entity']
export const start = newEntityContent({
  name: 'Sale',
  typeAttributes: attributes,
  entityAttributes: [],
  description: 'a',
})

/** The descriptions of the entity and its attributes, which are all that the writers change. */
export function texts(content: EntityContent): Record<string, string | null | undefined> {
  const descriptions = content.typeAttributes.map(({ uid, description }) => [uid, description])
  return Object.fromEntries([...descriptions, ['entity', content.description]])
}

export function textEdits(content: EntityContent, at: string, description: string) {
  if (at !== 'entity') return changeAttributeEdits(content, at, { description })
  return entityEditsBetween(content, { ...content, description })
}

export type Texts = ReturnType<typeof texts>

/** The expected texts after a rebase: changes of `own` above theirs. */
export function above(base: EntityContent, own: Texts, theirs: EntityContent): Texts {
  const [before, other] = [texts(base), texts(theirs)]
  return Object.fromEntries(places.map(at => [at, own[at] === before[at] ? other[at] : own[at]]))
}
