/** JSON as built for API descriptions; undefined properties are omitted. */
export type Json = string | number | boolean | null | readonly Json[] | JsonTree
export type JsonTree = { readonly [key: string]: Json | undefined }
