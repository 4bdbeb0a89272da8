import type { CallAnswer } from '@cadmus/model/contract/call'
import type * as lists from '@cadmus/model/contract/lists'
import type * as navigator from '@cadmus/model/contract/navigator'
import { firstRoutes, type Route } from '@cadmus/model/contract/routes'
import type * as sso from '@cadmus/model/contract/sso'
import { databaseTypes } from '@cadmus/model/database-types'
import { entityTypes } from '@cadmus/model/entity-types'
import { type Check, listOf, nullable, oneOf, shaped, text, truth, integer } from './check.ts'
import { type CallOptions, type Input, send, unexpectedAnswer } from './send.ts'

// Calls of the first screen. All others use callApi with the contract's schemas, which are loaded later.

/** A call with the validator of its response, which mirrors the contract. */
type FirstCall<A> = Route & { isAnswer: Check<A> }

/** Like `callApi`, but for a call without loaded schemas. */
export async function callFirst<A>(
  { isAnswer, ...route }: FirstCall<A>,
  input: Input,
  options: CallOptions = {},
): Promise<A> {
  const response = await send(route, input, options)
  const answer: unknown = await response.json().catch(() => null)
  if (!isAnswer(answer)) throw unexpectedAnswer(response.status)
  return answer
}

const permission = shaped({ oc: text, on: text, ng: integer })
const user = shaped({
  userId: text,
  username: text,
  fullname: text,
  email: text,
  avatar: nullable(text),
  memberId: text,
  organisationCode: nullable(text),
  organisationName: nullable(text),
  negroniPermission: text,
  negroniLicenseLimits: text,
  isAdmin: truth,
  permissions: listOf(permission),
})
const licence = shaped({
  manifestLimit: nullable(integer),
  rest: truth,
  graphql: truth,
  databaseTypes: listOf(oneOf(databaseTypes)),
})
const session = shaped({
  eccUser: user,
  organisation: nullable(shaped({ code: text, name: text, licence, serviceOptions: truth })),
  memberDetails: shaped({ avatar: nullable(text), fullname: text, memberId: text }),
  expiresAt: text,
  demo: truth,
  onboarded: truth,
})

const scopes = listOf(text)
const entityItem = shaped({
  id: integer,
  name: text,
  location: text,
  folder: text,
  type: oneOf(entityTypes),
  operationScopes: shaped({
    selectOperationScopes: scopes,
    selectAllOperationScopes: scopes,
    deleteOperationScopes: scopes,
    insertOperationScopes: scopes,
    updateOperationScopes: scopes,
  }),
})
const manifestItem = shaped({
  id: integer,
  name: text,
  location: text,
  folder: text,
  isDefault: truth,
  latestVersion: text,
  entityCount: integer,
  subManifestCount: integer,
})
const page = {
  totalElements: integer,
  size: integer,
  page: integer,
  result: oneOf(['OK']),
  message: text,
  next: nullable(text),
}
const entityPage = shaped({ entity: listOf(entityItem), ...page })
const manifestPage = shaped({ manifests: listOf(manifestItem), ...page })

const buildVersion = { buildVersion: text }
const coreNode = shaped({
  kind: oneOf(['folder', 'entity', 'manifest']),
  id: integer,
  name: text,
  path: text,
  parent: text,
})
/** This check also validates the cached tree. */
export const isCoreSchema: Check<navigator.CoreSchema> = shaped({ nodes: listOf(coreNode), ...buildVersion })

/** Ties the validator to the contract's type, so that neither can change alone. */
function firstCall<C>(route: Route, isAnswer: Check<CallAnswer<C>>): FirstCall<CallAnswer<C>> {
  return { ...route, isAnswer }
}

const { listManifestEntities, listSubManifests } = firstRoutes
export const firstCalls = {
  authorize: firstCall<typeof sso.authorize>(firstRoutes.authorize, shaped({ url: text, state: text })),
  signIn: firstCall<typeof sso.signIn>(firstRoutes.signIn, session),
  getSession: firstCall<typeof sso.getSession>(firstRoutes.getSession, session),
  signOut: firstCall<typeof sso.signOut>(firstRoutes.signOut, shaped({ url: nullable(text) })),
  getNavigatorVersion: firstCall<typeof navigator.getNavigatorVersion>(
    firstRoutes.getNavigatorVersion,
    shaped(buildVersion),
  ),
  /** The page ignores the workspaces. */
  getNavigator: { ...firstRoutes.getNavigator, isAnswer: shaped({ coreSchema: isCoreSchema }) },
  listEntities: firstCall<typeof lists.listEntities>(firstRoutes.listEntities, entityPage),
  listManifests: firstCall<typeof lists.listManifests>(firstRoutes.listManifests, manifestPage),
  listManifestEntities: firstCall<typeof lists.listManifestEntities>(listManifestEntities, entityPage),
  listSubManifests: firstCall<typeof lists.listSubManifests>(listSubManifests, manifestPage),
}
