import { attributeChanged } from '@cadmus/model/edits/attribute-edits'
import { entityEditsBetween } from '@cadmus/model/edits/edits-between'
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

/** What is said of the entity and of each attribute: all that these people write. */
export function texts(content: EntityContent): Record<string, string | null | undefined> {
  const said = content.typeAttributes.map(({ uid, description }) => [uid, description])
  return Object.fromEntries([...said, ['entity', content.description]])
}

export function written(content: EntityContent, at: string, description: string) {
  if (at !== 'entity') return attributeChanged(content, at, { description })
  return entityEditsBetween(content, { ...content, description })
}

export type Texts = ReturnType<typeof texts>

/** Place by place: what `mine` made of the base, above theirs. */
export function above(base: EntityContent, own: Texts, theirs: EntityContent): Texts {
  const [before, other] = [texts(base), texts(theirs)]
  return Object.fromEntries(places.map(at => [at, own[at] === before[at] ? other[at] : own[at]]))
}
