import { buildSchema, validateSchema } from 'graphql'

/** What the reference implementation has against a schema in GraphQL's schema language; empty where it finds nothing. */
export function graphQlFaults(sdl: string): string[] {
  try {
    return validateSchema(buildSchema(sdl)).map(({ message }) => message)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
