import type { Route } from '../../http/route.ts'
import {
  getInstanceDatabaseRoute,
  listInstanceDatabasesRoute,
  listInstancePackagesRoute,
  listWorkspacePackagesRoute,
  testInstanceRoute,
} from './instance-calls.ts'
import { listWorkspacesRoute } from './list-workspaces.ts'

export const instanceRoutes: Route[] = [
  listWorkspacesRoute,
  listWorkspacePackagesRoute,
  listInstancePackagesRoute,
  listInstanceDatabasesRoute,
  getInstanceDatabaseRoute,
  testInstanceRoute,
]
