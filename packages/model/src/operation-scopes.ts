import * as z from 'zod'
import { messages } from './messages.ts'

const scopeList = z.array(z.string(messages.scopesArray), messages.scopesArray)

export const operationScopesSchema = z.object({
  selectOperationScopes: scopeList,
  selectAllOperationScopes: scopeList,
  deleteOperationScopes: scopeList,
  insertOperationScopes: scopeList,
  updateOperationScopes: scopeList,
})
export type OperationScopes = z.infer<typeof operationScopesSchema>
