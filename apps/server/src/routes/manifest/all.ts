import type { Route } from '../../http/route.ts'
import { addEntitiesToManifestRoute } from './add-entities-to-manifest.ts'
import { addManifestVersionRoute } from './add-manifest-version.ts'
import { addSubManifestsRoute } from './add-sub-manifests.ts'
import { cancelImportRoute } from './cancel-import.ts'
import { createManifestByWizardRoute } from './create-manifest-by-wizard.ts'
import { createManifestRoute } from './create-manifest.ts'
import { deleteManifestVersionRoute } from './delete-manifest-version.ts'
import { deleteManifestRoute } from './delete-manifest.ts'
import { downloadImportReportRoute } from './download-import-report.ts'
import { exportManifestRoute, previewExportRoute } from './export-manifest.ts'
import { getImportProgressRoute } from './get-import-progress.ts'
import { getManifestConfigurationRoute } from './get-manifest-configuration.ts'
import { getManifestPathsRoute } from './get-manifest-paths.ts'
import { getManifestVersionContentRoute } from './get-manifest-version-content.ts'
import { getManifestRoute } from './get-manifest.ts'
import { importManifestRoute } from './import-manifest.ts'
import { listFolderManifestsRoute } from './list-folder-manifests.ts'
import { listManifestEntitiesRoute } from './list-manifest-entities.ts'
import { listManifestFoldersRoute } from './list-manifest-folders.ts'
import { downloadManifestLogsRoute } from './download-manifest-logs.ts'
import { getManifestLogRoute } from './get-manifest-log.ts'
import { listManifestLogsRoute } from './list-manifest-logs.ts'
import { listManifestParentsRoute } from './list-manifest-parents.ts'
import { listManifestReferencesRoute } from './list-manifest-references.ts'
import { listNamesakesRoute } from './list-namesakes.ts'
import { listManifestVersionsRoute } from './list-manifest-versions.ts'
import { listManifestsRoute } from './list-manifests.ts'
import { listOrganisationManifestsRoute } from './list-organisation-manifests.ts'
import { listSubManifestsRoute } from './list-sub-manifests.ts'
import { removeEntityFromManifestRoute } from './remove-entity-from-manifest.ts'
import { removeSubManifestRoute } from './remove-sub-manifest.ts'
import { resolveNamesakesRoute } from './resolve-namesakes.ts'
import { saveManifestConfigurationRoute } from './save-manifest-configuration.ts'
import { updateManifestRoute } from './update-manifest.ts'
import { validateManifestRoute } from './validate-manifest.ts'

export const manifestRoutes: Route[] = [
  addEntitiesToManifestRoute,
  addManifestVersionRoute,
  addSubManifestsRoute,
  cancelImportRoute,
  createManifestByWizardRoute,
  createManifestRoute,
  deleteManifestVersionRoute,
  deleteManifestRoute,
  exportManifestRoute,
  previewExportRoute,
  listNamesakesRoute,
  resolveNamesakesRoute,
  getImportProgressRoute,
  downloadImportReportRoute,
  getManifestConfigurationRoute,
  getManifestPathsRoute,
  getManifestVersionContentRoute,
  getManifestRoute,
  importManifestRoute,
  listFolderManifestsRoute,
  listManifestEntitiesRoute,
  listManifestFoldersRoute,
  listManifestLogsRoute,
  downloadManifestLogsRoute,
  getManifestLogRoute,
  listManifestParentsRoute,
  listManifestReferencesRoute,
  listManifestVersionsRoute,
  listManifestsRoute,
  listOrganisationManifestsRoute,
  listSubManifestsRoute,
  removeEntityFromManifestRoute,
  removeSubManifestRoute,
  saveManifestConfigurationRoute,
  updateManifestRoute,
  validateManifestRoute,
]
