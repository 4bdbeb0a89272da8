import { reinsertionsOf } from './lists.ts'
import type { ManifestEditDefinition } from './manifest-edit.ts'

export const removeSubManifests: ManifestEditDefinition<'removeSubManifests'> = {
  apply(content, { ids }) {
    const removed = new Set(ids)
    const subManifests = content.subManifests.filter(id => !removed.has(id))
    return subManifests.length === content.subManifests.length ? content : { ...content, subManifests }
  },
  invert({ subManifests }, { ids }) {
    const added = reinsertionsOf(subManifests, new Set(ids), id => id)
    return added.length > 0 ? [{ kind: 'addSubManifests', added }] : []
  },
}
