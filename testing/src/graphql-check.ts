import { buildSchema, validateSchema } from 'graphql'

/** The faults that the reference implementation finds in a schema. */
export function graphQlFaults(sdl: string): string[] {
  try {
    return validateSchema(buildSchema(sdl)).map(({ message }) => message)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
