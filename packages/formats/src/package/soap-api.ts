import { apiOperations } from '../api-operations.ts'
import { targetNamespace } from '../wsdl/xsd-types.ts'
import { apiServiceName, isService } from './api-services.ts'
import { gloopText } from './gloop.ts'
import type { PackageParts } from './package-parts.ts'

/**
 * The SOAP definition: maps operations to services. Its keys are undocumented; the keys of the REST definition are
 * used.
 */
export function soapDefinition(parts: PackageParts): string {
  const { api } = parts
  const operations = apiOperations(api).filter(isService)
  return gloopText({
    info: { title: api.title, version: api.version, description: api.description },
    basePath: `/${api.namespace}/1.0`,
    targetNamespace: targetNamespace(api.namespace),
    operations: operations.map(operation => ({
      name: operation.name,
      operationType: 'gloop',
      operationLocation: apiServiceName(parts, operation),
    })),
  })
}
