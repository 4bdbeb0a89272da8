import type { Api } from '@cadmus/model/api/api'

/** The explorer's view of a protocol: where a browser is led that was sent to the address of the protocol itself. */
export function explorerAddress({ namespace }: Api, protocol: 'graphql' | 'soap'): string {
  return `/api-explorer?package=${encodeURIComponent(namespace)}&protocol=${protocol}`
}
