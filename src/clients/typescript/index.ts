// The public face of `selvedge/client`. Everything a program may rely on is named here and nothing else is.

export { ApiError, ArgumentError, type FieldError } from './api-error.ts'
export type { Assortments, PublishRecord } from './assortments.ts'
export type { ChangeCriteria, ChangePage, ChangeQuery, ChangeRecord, Changes, PollOptions } from './changes.ts'
export type { Client, Me, Session } from './client.ts'
export {
  type CommonFields,
  type Criteria,
  type Criterion,
  type CriterionValue,
  ENTITY_NAMES,
  type Entity,
  type EntityChange,
  type EntityCount,
  type EntityName,
  type FoundEntity,
  type ListParams,
  type NewEntity,
  type Operators,
  ORDER_FIELDS,
  type Order,
  type OrderField,
  type Page,
  type Properties,
  type PropertyCriteria,
  type SearchParams,
  type SentFields,
} from './entity.ts'
export {
  type EntityType,
  type EntityTypes,
  type PlannedType,
  PROPERTY_TYPES,
  type PropertyType,
  type RootType,
  type SchemaArgs,
  type TypeCheck,
  type TypePage,
  type TypeProperty,
} from './entity-types.ts'
export type { ExportArgs, ExportFormat } from './exports.ts'
export type { FileRecord, Files, UploadArgs, UploadProgress } from './files.ts'
export type { ApiKey, IssuedKey, Keys, NewKey, Scope } from './keys.ts'
export type { AssortmentSplit, ColumnDefinition, LoaderConfiguration, LoadType } from './loader-configuration.ts'
export {
  type LoadCounts,
  LoadError,
  type LoadIssue,
  type LoadProcess,
  type LoadProgress,
  type Loads,
  type RunArgs,
} from './loads.ts'
export {
  type ConnectOptions,
  type CookieCredential,
  connect,
  type KeyCredential,
  type LoginOptions,
  login,
  type PasswordCredential,
  type SsoCredential,
  type SsoRequest,
  ssoAddress,
  type TokenCredential,
} from './login.ts'
export {
  type IdentityProvider,
  type NewIdentityProvider,
  type NewOrganization,
  Operator,
  type Organization,
  type OrganizationChange,
  type Quota,
} from './operator.ts'
export type { KeptBackup, NewRestore, RestorePart, RestoreStatus } from './operator-backups.ts'
export type { Delivery, Endpoint, EndpointAuth, NewEndpoint } from './operator-endpoints.ts'
export type { OrganizationMove } from './operator-moves.ts'
export type { DataStore, DeadLetter, DeploymentStatus, SealedSecrets } from './operator-status.ts'
export type {
  AuditEntry,
  AuditExport,
  AuditExportArgs,
  AuditHead,
  Invitation,
  Member,
  OpenSession,
  People,
  Role,
  User,
} from './people.ts'
// With a star: only so can a file of yours add to it.
export type * from './registered.ts'
export type * from './registry.ts'
export type { Call, CallOptions, ConnectionOptions } from './request.ts'
export {
  type ChangesToRestore,
  type RevertCounts,
  RevertError,
  type RevertIssue,
  type RevertProcess,
  type Reverts,
} from './reverts.ts'
export { type CallbackArgs, sendCallback, type TaskCallback, type Tasks, type WorkflowTask } from './tasks.ts'
export type { EntityClient as Entities, ExportClient as Exports } from './typed-calls.ts'
export type { Content } from './upload-content.ts'
export type { IssuedWebhook, WorkflowProcess, Workflows } from './workflows.ts'
