import type { Call } from './call.ts'

export const base = '/1.0/cdm'

/** Names the organisation of a request; marks sign-in calls of the page. */
export const organisationHeader = 'X-Organisation-Code'
export const signInHeader = 'X-Cadmus'

/** Lets an administrator work in any organisation; takes precedence over the organisation header. */
export const adminOrganisationHeader = 'X-Admin-Organisation'

/** Address of a call, without its schemas. */
export type Route = Pick<Call, 'id' | 'method' | 'path'>

/** The calls of the page's first screen. Without schemas, because building those takes longer than drawing the screen. */
export const firstRoutes = {
  authorize: { id: 'authorize', method: 'GET', path: `${base}/sso/authorize` },
  signIn: { id: 'signIn', method: 'POST', path: `${base}/sso/signin` },
  refreshSession: { id: 'refreshSession', method: 'POST', path: `${base}/sso/refresh` },
  getSession: { id: 'getSession', method: 'GET', path: `${base}/sso/session` },
  signOut: { id: 'signOut', method: 'POST', path: `${base}/sso/logout` },
  getNavigator: { id: 'getNavigator', method: 'GET', path: `${base}/navigator` },
  getNavigatorVersion: { id: 'getNavigatorVersion', method: 'GET', path: `${base}/navigator/version` },
  listEntities: { id: 'listEntities', method: 'GET', path: `${base}/entity` },
  listManifests: { id: 'listManifests', method: 'GET', path: `${base}/manifest` },
  listManifestEntities: { id: 'listManifestEntities', method: 'GET', path: `${base}/manifest/{id}/entities` },
  listSubManifests: { id: 'listSubManifests', method: 'GET', path: `${base}/manifest/{id}/subManifests` },
} as const satisfies Record<string, Route>
