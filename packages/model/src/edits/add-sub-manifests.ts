import { insertItems, newInsertions } from './lists.ts'
import type { ManifestEditDefinition } from './manifest-edit.ts'

const itself = (id: number) => id

export const addSubManifests: ManifestEditDefinition<'addSubManifests'> = {
  apply(content, { added }) {
    if (newInsertions(content.subManifests, added, itself).length === 0) return content
    return { ...content, subManifests: insertItems(content.subManifests, added, itself) }
  },
  invert({ subManifests }, { added }) {
    const ids = newInsertions(subManifests, added, itself).map(({ item }) => item)
    return ids.length > 0 ? [{ kind: 'removeSubManifests', ids }] : []
  },
}
