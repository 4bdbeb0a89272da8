import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema, parse, validate } from 'graphql'
import { expect } from 'vitest'
import * as z from 'zod'
import type { TestInstance } from './instance.ts'

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).optional(),
        extensions: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .optional(),
})
export type GraphQlAnswer = z.output<typeof answerSchema> & { readonly status: number }

/** A client of one package. Requests are validated against the introspected schema. */
export type GraphQlClient = {
  readonly schema: GraphQLSchema
  ask(
    query: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Record<string, string>,
  ): Promise<GraphQlAnswer>
  /** Sends a request without validation. */
  askRaw(query: string, variables?: unknown, headers?: Record<string, string>): Promise<GraphQlAnswer>
}

export async function graphQlClient(
  instance: TestInstance,
  { namespace = 'shop', headers: commonHeaders = {} }: { namespace?: string; headers?: Record<string, string> } = {},
): Promise<GraphQlClient> {
  const askRaw: GraphQlClient['askRaw'] = async (query, variables, headers = {}) => {
    const body = typeof variables === 'string' ? variables : JSON.stringify({ query, variables })
    const answer = await instance.fetch(`/graphql/${namespace}/1.0`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...commonHeaders, ...headers },
      body,
    })
    return { ...answerSchema.parse(JSON.parse(await answer.text())), status: answer.status }
  }
  const { data } = await askRaw(getIntrospectionQuery())
  const schema = buildClientSchema(JSON.parse(JSON.stringify(data)))
  return {
    schema,
    askRaw,
    async ask(query, variables, headers) {
      expect(validate(schema, parse(query))).toEqual([])
      return askRaw(query, variables, headers)
    },
  }
}
