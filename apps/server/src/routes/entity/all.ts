import type { Route } from '../../http/route.ts'
import { addEntityVersionRoute } from './add-entity-version.ts'
import { addRelationshipRoute } from './add-relationship.ts'
import { createEntityByWizardRoute } from './create-entity-by-wizard.ts'
import { createEntityRoute } from './create-entity.ts'
import { deleteEntityVersionRoute } from './delete-entity-version.ts'
import { deleteEntityRoute } from './delete-entity.ts'
import { deleteRelationshipRoute } from './delete-relationship.ts'
import { exportEntityRoute } from './export-entity.ts'
import { getEntityVersionContentRoute } from './get-entity-version-content.ts'
import { getEntityScopesRoute } from './get-entity-scopes.ts'
import { getEntityRoute } from './get-entity.ts'
import { importEntityRoute } from './import-entity.ts'
import { listEntitiesRoute } from './list-entities.ts'
import { listEntityFoldersRoute } from './list-entity-folders.ts'
import { downloadEntityLogsRoute } from './download-entity-logs.ts'
import { getEntityLogRoute } from './get-entity-log.ts'
import { listEntityLogsRoute } from './list-entity-logs.ts'
import { listEntityReferencesRoute } from './list-entity-references.ts'
import { listEntityVersionsRoute } from './list-entity-versions.ts'
import { listFolderEntitiesRoute } from './list-folder-entities.ts'
import { listOrganisationEntitiesRoute } from './list-organisation-entities.ts'
import { searchAttributesRoute } from './search-attributes.ts'
import { updateEntityRoute } from './update-entity.ts'
import { updateRelationshipRoute } from './update-relationship.ts'

export const entityRoutes: Route[] = [
  listEntityFoldersRoute,
  listFolderEntitiesRoute,
  listEntityLogsRoute,
  downloadEntityLogsRoute,
  getEntityLogRoute,
  getEntityVersionContentRoute,
  getEntityScopesRoute,
  listEntityReferencesRoute,
  getEntityRoute,
  deleteEntityRoute,
  listOrganisationEntitiesRoute,
  listEntitiesRoute,
  searchAttributesRoute,
  createEntityRoute,
  createEntityByWizardRoute,
  updateEntityRoute,
  addRelationshipRoute,
  updateRelationshipRoute,
  deleteRelationshipRoute,
  addEntityVersionRoute,
  listEntityVersionsRoute,
  deleteEntityVersionRoute,
  importEntityRoute,
  exportEntityRoute,
]
