import * as z from 'zod'
import { messages } from './messages.ts'

/** CADMUS is the external-identity kind: users and groups of an instance's directory. */
export const entityTypes = ['TEMPLATE', 'EXCLUSIVE', 'CADMUS'] as const
export type EntityType = (typeof entityTypes)[number]

const scopeList = z.array(z.string(messages.scopesArray), messages.scopesArray)

export const operationScopesSchema = z.object({
  selectOperationScopes: scopeList,
  selectAllOperationScopes: scopeList,
  deleteOperationScopes: scopeList,
  insertOperationScopes: scopeList,
  updateOperationScopes: scopeList,
})
export type OperationScopes = z.infer<typeof operationScopesSchema>
