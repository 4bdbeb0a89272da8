import { scopeFields, type EntityEditDefinition } from './entity-edit.ts'
import { valuesOf, withChange } from './lists.ts'

/** Scopes of operations. The only edit allowed on a locked entity. */
export const changeScopes: EntityEditDefinition<'changeScopes'> = {
  apply(content, { change }) {
    const operationScopes = withChange(content.operationScopes, change, scopeFields)
    return operationScopes === content.operationScopes ? content : { ...content, operationScopes }
  },
  invert({ operationScopes }, { change }) {
    const back = valuesOf(operationScopes, change, scopeFields)
    return Object.keys(back).length > 0 ? [{ kind: 'changeScopes', change: back }] : []
  },
}
