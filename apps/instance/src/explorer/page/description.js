/**
 * The parts of an OpenAPI description that the page uses.
 * @typedef {{ $ref?: string, type?: string | string[], enum?: unknown[], default?: unknown, format?: string, properties?: Record<string, Schema>, required?: string[], items?: Schema, pattern?: string, contentEncoding?: string }} Schema
 * @typedef {{ $ref?: string, name: string, in: string, required?: boolean, description?: string, style?: string, schema?: Schema }} Parameter
 * @typedef {{ tags?: string[], summary?: string, description?: string, parameters?: Parameter[], requestBody?: { content: Record<string, { schema: Schema }> } }} Operation
 * @typedef {{ info: { title: string, version: string, description: string }, paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>, components: { schemas: Record<string, Schema>, parameters: Record<string, Parameter> } }} Description
 * @typedef {{ method: string, path: string, tag: string, summary: string, parameters: Parameter[], body: Schema | null }} Call
 */

const methods = ['get', 'post', 'put', 'delete']

/**
 * Every call of an API, in the order of the description.
 * @param {Description} description
 * @returns {Call[]}
 */
export function callsOf(description) {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap(method => {
      const operation = item[method]
      if (operation === undefined) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(one =>
        parameterOf(description, one),
      )
      const body = operation.requestBody?.content['application/json']?.schema ?? null
      const { summary = '', tags: [tag = ''] = [] } = operation
      return [
        { method: method.toUpperCase(), path, tag, summary, parameters, body: body && schemaOf(description, body) },
      ]
    }),
  )
}

/**
 * A sample body with all properties.
 * @param {Schema} schema
 * @returns {string}
 */
export function sampleOf(schema) {
  const properties = Object.entries(schema.properties ?? {})
  return JSON.stringify(Object.fromEntries(properties.map(([name, one]) => [name, valueOf(one)])), null, 2)
}

/**
 * @param {Schema} schema
 * @returns {unknown}
 */
function valueOf(schema) {
  if (schema.default !== undefined) return schema.default
  if (schema.enum !== undefined) return schema.enum[0]
  const types = [schema.type ?? 'object'].flat()
  if (types.includes('null')) return null
  if (types.includes('integer') || types.includes('number')) return 1
  if (types.includes('boolean')) return false
  if (types.includes('string')) return textOf(schema)
  return {}
}

/**
 * @param {Schema} schema
 * @returns {string}
 */
function textOf({ format, pattern = '' }) {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000001'
  if (format === 'date') return '2026-01-31'
  if (pattern.startsWith('^\\d{4}')) return '2026-01-31T12:00:00'
  if (pattern.startsWith('^\\d{2}')) return '12:00:00'
  return pattern === '' ? '' : '1'
}

/**
 * @param {Description} description
 * @param {Schema} schema
 * @returns {Schema}
 */
function schemaOf({ components }, schema) {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (components.schemas[name] ?? schema)
}

/**
 * @param {Description} description
 * @param {Parameter} parameter
 * @returns {Parameter}
 */
function parameterOf({ components }, parameter) {
  const name = parameter.$ref?.split('/').at(-1)
  return name === undefined ? parameter : (components.parameters[name] ?? parameter)
}
