import { valuesOf, withChange } from './lists.ts'
import { manifestFields, type ManifestEditDefinition } from './manifest-edit.ts'

export const changeManifest: ManifestEditDefinition<'changeManifest'> = {
  apply: (content, { change }) => withChange(content, change, manifestFields),
  invert(content, { change }) {
    const back = valuesOf(content, change, manifestFields)
    return Object.keys(back).length > 0 ? [{ kind: 'changeManifest', change: back }] : []
  },
}
