import { inserted, newOnes } from './lists.ts'
import type { ManifestEditDefinition } from './manifest-edit.ts'

const itself = (id: number) => id

export const addSubManifests: ManifestEditDefinition<'addSubManifests'> = {
  apply(content, { added }) {
    if (newOnes(content.subManifests, added, itself).length === 0) return content
    return { ...content, subManifests: inserted(content.subManifests, added, itself) }
  },
  invert({ subManifests }, { added }) {
    const ids = newOnes(subManifests, added, itself).map(({ item }) => item)
    return ids.length > 0 ? [{ kind: 'removeSubManifests', ids }] : []
  },
}
