# Made by `npm run models` from the OpenAPI document. Do not edit: make it again.
"""What the service answers and takes: dictionaries, exactly as they travel."""

from typing import Any, Literal

from typing_extensions import NotRequired, TypedDict


class AccessToken(TypedDict):
    id: str
    name: str
    accessToken: str
    expiresOn: str


class ApiKey(TypedDict):
    id: str
    kind: Literal["app", "user", "token", "session"]
    name: str
    start: str
    scope: Literal["read", "write"]
    tier: Literal["standard", "high", "internal"] | None
    userId: str | None
    createdOn: str
    createdById: str
    lastUsedOn: str | None
    """Kept to the hour."""
    expiresOn: str | None
    revokedOn: str | None
    replacedById: str | None
    entityTypes: list[str] | None
    addresses: list[str] | None


class AssortmentPublishDetail(TypedDict):
    adds: int
    updates: int
    deletes: int
    addsUrl: str
    updatesUrl: str
    deletesUrl: str
    baselineUrl: str
    """The members before the publish."""


class AssortmentPublish(TypedDict):
    id: str
    assortmentId: str
    createdOn: str
    createdById: str
    createdByType: str
    detail: AssortmentPublishDetail


class AuditEntry(TypedDict):
    id: str
    createdOn: str
    action: Literal["sign_in", "sign_in_failed", "sign_out", "password_changed", "password_reset_issued", "password_reset_used", "invitation_created", "invitation_revoked", "invitation_accepted", "member_joined", "member_role_changed", "member_removed", "key_issued", "key_rotated", "key_revoked", "token_issued", "token_revoked", "identity_provider_set", "identity_provider_removed", "endpoint_set", "endpoint_removed", "delivery_resent", "organization_created", "organization_changed", "organization_exported", "organization_deleted", "organization_restored", "backup_downloaded", "organization_move_begun", "organization_moved", "organization_move_cancelled", "organization_move_failed", "quotas_set", "file_uploaded", "file_deleted"]
    actorType: Literal["user", "app", "operator", "nobody"]
    actorId: str | None
    address: str | None
    subjectId: str | None
    detail: dict[str, Any]
    number: int | None
    """Its place in the chain of lines; none until it is chained, at most an hour."""
    digest: str | None
    """Over itself and the line before."""


class Backup(TypedDict):
    id: str
    organizationId: str
    slug: str
    bytes: int
    begunOn: str
    completedOn: str


class CallerCredential(TypedDict):
    id: str
    kind: Literal["app", "user", "token", "session"]
    expiresOn: str | None


class CallerOrg(TypedDict):
    id: str
    slug: str


class User(TypedDict):
    id: str
    email: str
    role: Literal["admin", "member"]


class Caller(TypedDict):
    credential: CallerCredential
    org: CallerOrg
    user: User | None
    role: Literal["admin", "member"] | None
    scope: Literal["read", "write"]
    tier: Literal["standard", "high", "internal"]


class ChangeRecordChanges(TypedDict):
    oldValue: Any
    newValue: Any


class ChangeRecord(TypedDict):
    id: str
    orgId: str
    entityType: str
    entityReference: str
    changeType: Literal["create", "update", "delete"]
    createdOn: str
    createdById: str
    createdByType: Literal["user", "app", "operator", "loader", "workflow"]
    version: int
    changes: dict[str, ChangeRecordChanges]


class ChangePage(TypedDict):
    results: list[ChangeRecord]
    nextPageKey: str | None
    syncKey: str


class CreatedWebhook(TypedDict):
    id: str
    orgId: str
    typePath: str
    name: str
    federatedId: str | None
    createdOn: str
    updatedOn: str
    createdById: str
    updatedById: str
    version: int
    triggerKey: str
    triggerUrl: str


class DatabasesResults(TypedDict):
    name: str
    state: Literal["open", "filling", "unavailable"]
    bytes: int | None
    organizations: int
    warning: str | None


class Databases(TypedDict):
    results: list[DatabasesResults]


class DeadLetter(TypedDict):
    id: str
    organization: str | None
    kind: str
    subjectId: str | None
    createdOn: str


class Delivery(TypedDict):
    id: str
    """Also the `webhook-id` of every try."""
    endpointName: str
    triggerKey: str
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    nextAttemptOn: str | None
    responseStatus: int | None
    error: str | None
    payload: Any
    createdOn: str
    endedOn: str | None


class DeploymentStatusSchema(TypedDict):
    expected: str
    applied: str | None


class DeploymentStatusChecks(TypedDict):
    name: str
    isOk: bool
    ms: int


class DeploymentStatusOrganizations(TypedDict):
    total: int
    suspended: int


class DeploymentStatusLoads(TypedDict):
    waiting: int
    oldestStepOn: str | None


class DeploymentStatusDeliveries(TypedDict):
    since: str
    delivered: int
    pending: int
    failed: int


class DeploymentStatusDeadLetters(TypedDict):
    total: int
    oldestOn: str | None


class DeploymentStatus(TypedDict):
    status: Literal["ok", "degraded"]
    version: str
    environment: str
    schema: DeploymentStatusSchema
    missingBindings: list[str]
    checks: list[DeploymentStatusChecks]
    organizations: DeploymentStatusOrganizations
    loads: DeploymentStatusLoads
    deliveries: DeploymentStatusDeliveries
    deadLetters: DeploymentStatusDeadLetters


class EndpointAuth(TypedDict):
    """Secrets are shown as ********."""

    kind: str


class Endpoint(TypedDict):
    name: str
    url: str
    events: list[str]
    includeLoads: bool
    allowedFor: Literal["events", "workflows", "both"]
    """Who may call it: deliveries of events, `http` tasks of workflows, or both."""
    auth: EndpointAuth
    """Secrets are shown as ********."""
    oldSecretUntil: str | None
    """Until then calls are signed with the secret before it as well."""
    createdOn: str
    updatedOn: str


class EntityCount(TypedDict):
    count: int
    isExact: bool
    """False where there are at least as many, and counting stopped."""


class EventWorkflowProcessError(TypedDict):
    code: str
    detail: str


class EventWorkflowProcess(TypedDict):
    id: str
    orgId: str
    typePath: str
    name: str | None
    federatedId: str | None
    createdOn: str
    updatedOn: str
    createdById: str
    updatedById: str
    version: int
    eventWorkflowId: str
    triggerKey: str
    status: Literal["pending", "active", "awaiting", "complete", "failed", "cancelled"]
    triggerEvent: dict[str, Any]
    taskOutputs: dict[str, Any]
    subtext: NotRequired[str]
    startedOn: str
    endedOn: NotRequired[str]
    depth: int
    error: NotRequired[EventWorkflowProcessError]


EventWorkflowTask = TypedDict(
    "EventWorkflowTask",
    {
        "id": str,
        "orgId": str,
        "typePath": str,
        "name": str | None,
        "federatedId": str | None,
        "createdOn": str,
        "updatedOn": str,
        "createdById": str,
        "updatedById": str,
        "version": int,
        "processId": NotRequired[str],
        "status": Literal["pending", "active", "awaiting", "complete", "failed", "cancelled", "skipped"],
        "action": str,
        "async": bool,
        "output": dict[str, Any],
        "logs": list[str],
        "subtext": NotRequired[str],
        "timeoutSeconds": NotRequired[int],
        "startedOn": NotRequired[str],
        "endedOn": NotRequired[str],
        # When a task that waits stops waiting.
        "expiresOn": NotRequired[str],
    },
)


class File(TypedDict):
    id: str
    orgId: str
    typePath: str
    name: str | None
    federatedId: str | None
    createdOn: str
    updatedOn: str
    createdById: str
    updatedById: str
    version: int
    fileName: str
    contentType: str
    status: Literal["pending", "ready"]
    size: int | None
    checksum: str | None
    uploadedOn: str | None
    uploadUrl: NotRequired[str]
    """Where the content of a pending file goes, by PUT."""
    contentId: NotRequired[str]
    """Which upload the content came from."""


class IdentityProvider(TypedDict):
    issuer: str
    clientId: str
    clientSecret: str
    """Masked."""
    allowSignUp: bool
    callbackUrl: str
    """The redirect address to register with the provider."""
    updatedOn: str


class Invitation(TypedDict):
    id: str
    email: str
    role: Literal["admin", "member"]
    createdOn: str
    createdById: str
    expiresOn: str
    acceptedOn: str | None
    revokedOn: str | None


class IssuedApiKey(TypedDict):
    id: str
    kind: Literal["app", "user", "token", "session"]
    name: str
    start: str
    scope: Literal["read", "write"]
    tier: Literal["standard", "high", "internal"] | None
    userId: str | None
    createdOn: str
    createdById: str
    lastUsedOn: str | None
    """Kept to the hour."""
    expiresOn: str | None
    revokedOn: str | None
    replacedById: str | None
    entityTypes: list[str] | None
    addresses: list[str] | None
    key: str
    """Shown this once."""


class IssuedInvitation(TypedDict):
    id: str
    email: str
    role: Literal["admin", "member"]
    createdOn: str
    createdById: str
    expiresOn: str
    acceptedOn: str | None
    revokedOn: str | None
    token: str
    acceptUrl: str


class ColumnDefinitionConditions(TypedDict):
    conditional: str
    value: Any


class ColumnDefinition(TypedDict):
    toProperty: str
    """Target column; overwritten if it exists."""
    fromProperty: NotRequired[str]
    """Copies the value from this column. Ignored when conditions is present."""
    conditions: NotRequired[list[ColumnDefinitionConditions]]
    """Evaluated in order; the first that matches wins."""
    default: NotRequired[Any]
    """Used when no condition matches, or as a template expression."""


class AssortmentSplitValues(TypedDict):
    value: str
    assortmentId: NotRequired[str]
    assortmentIdentifier: NotRequired[str]


class AssortmentSplit(TypedDict):
    fieldToSplitOn: str
    """CSV column whose value picks the assortment of each row."""
    values: list[AssortmentSplitValues]
    partialAssortmentUpdate: NotRequired[bool]
    addField: NotRequired[str]
    """Column; rows holding true are added. Used with partial updates."""
    dropField: NotRequired[str]
    """Column; rows holding true are dropped. Used with partial updates."""


class LoaderConfiguration(TypedDict):
    name: NotRequired[str]
    """A name for people."""
    loadType: NotRequired[list[Literal["ITEM", "PROJECT_ITEM", "ASSORTMENT", "COLOR", "CUSTOM_ENTITY", "SIZE_RANGE_TEMPLATE"]]]
    """Entity types to create. Only ITEM can be combined with others."""
    fileLocation: NotRequired[str]
    """Id of the uploaded CSV file."""
    federatedMappings: NotRequired[dict[str, str]]
    """Target column name to source column name, or to a literal value."""
    conditionalColumns: NotRequired[list[ColumnDefinition]]
    propertiesToRemove: NotRequired[list[str]]
    """Column names removed before processing."""
    workspaceIdentifier: NotRequired[str]
    """Project (workspace) that receives PROJECT_ITEM entities."""
    assortmentSplit: NotRequired[AssortmentSplit]
    partialAssortmentUpdate: NotRequired[bool]
    assortmentItemDropField: NotRequired[str]
    shouldSkipAssortmentPublish: NotRequired[bool]
    loaderConfigurationId: NotRequired[str]
    """Id of an uploaded YAML or JSON configuration."""
    columnTypes: NotRequired[dict[str, Literal["string", "text", "number", "currency", "percent", "boolean", "date", "choice", "multi_select", "url", "object_reference", "object_ref_list", "json"]]]
    """How columns are read that no type defines; they are stored, also where the type defines others."""
    unchangedMark: NotRequired[str]
    """A cell that holds just this text is left alone, as if the row had no such column."""
    dryRun: NotRequired[bool]
    """Everything but the writes."""
    mode: NotRequired[Literal["upsert", "create", "update"]]
    """Whether entities may be created, updated, or both."""


class LoaderProcessProgress(TypedDict):
    phase: str
    rowsTotal: int | None
    rowsDone: int
    """In the phase that is named."""
    percent: int
    """Of the whole load; it never runs back."""
    rowsPerSecond: int | None
    """Of the phase; null where it counts no rows."""
    secondsLeft: int | None
    """Until the end of the whole load; null as long as nothing can be told."""


class LoaderProcessResults(TypedDict):
    created: int
    updated: int
    unchanged: int
    removed: int


class LoaderProcessSteps(TypedDict):
    step: int
    name: str
    rows: int
    warnings: int


class LoadIssue(TypedDict):
    rowNumber: int
    """Line in the file; the header is line 1."""
    columnName: str | None
    message: str
    issueType: Literal["CONFIG", "HEADER_MISMATCH", "INVALID_DATA", "MISSING_DATA", "VALIDATION_ERROR", "DUPLICATE_FEDERATED_ID", "SYSTEM_ERROR"]
    severity: Literal["error", "warning"]


class LoaderProcess(TypedDict):
    id: str
    orgId: str
    typePath: str
    name: str
    federatedId: str | None
    createdOn: str
    updatedOn: str
    createdById: str
    updatedById: str
    version: int
    loadType: list[Literal["ITEM", "PROJECT_ITEM", "ASSORTMENT", "COLOR", "CUSTOM_ENTITY", "SIZE_RANGE_TEMPLATE"]]
    fileLocation: str
    ownsFile: NotRequired[bool]
    """The file came with the load, and is removed with it."""
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    failureArea: Literal["NONE", "PARSING_CSV", "VALIDATING_DATA", "TRANSFORMING_DATA"]
    progress: LoaderProcessProgress
    results: dict[str, LoaderProcessResults]
    unrecordedWrites: int
    """Writes of assortment items without change records."""
    steps: list[LoaderProcessSteps]
    errorCount: int
    warningCount: int
    issues: list[LoadIssue]
    """The first 100."""
    issuesFileId: NotRequired[str]
    annotatedFileId: NotRequired[str]
    assortmentPublishChangeIds: list[str]
    startedOn: NotRequired[str]
    endedOn: NotRequired[str]


class Member(TypedDict):
    id: str
    email: str
    role: Literal["admin", "member"]
    joinedOn: str


class OpenSession(TypedDict):
    id: str
    userId: str
    method: str
    """How it began: password, invitation or single sign-on."""
    createdOn: str
    lastUsedOn: str | None
    """Kept to the hour."""
    expiresOn: str
    isCurrent: bool
    """Whether it is the one that asks."""


class Organization(TypedDict):
    id: str
    slug: str
    name: str
    tier: Literal["standard", "high", "internal"]
    createdOn: str
    suspendedOn: str | None
    historyRetentionDays: int | None
    historyArchiveDays: int | None
    database: str
    moving: bool
    """On its way to another database."""


class OrganizationMoveRows(TypedDict):
    total: int
    copied: int
    compared: int
    followed: int


OrganizationMove = TypedDict(
    "OrganizationMove",
    {
        "id": str,
        "organization": str,
        "from": str,
        "to": str,
        "state": Literal["moving", "complete", "cancelled", "failed"],
        # clearing, copying, comparing, following, stopped (writes get 503), opening; undoing; or how it ended.
        "phase": str,
        "percent": int,
        "rows": OrganizationMoveRows,
        # Rows of each table, the same in both databases when it was moved.
        "tables": dict[str, int],
        # How long writes were refused.
        "stoppedMs": int,
        "startedOn": str,
        "touchedOn": str,
        "endedOn": str | None,
        "error": str | None,
    },
)


class OrganizationRestoreLeftOut(TypedDict):
    passwords: int
    endpoints: list[str]
    identityProvider: bool


class OrganizationRestore(TypedDict):
    id: str
    organizationId: str
    slug: str
    state: Literal["receiving", "completing", "complete"]
    nextPart: int
    isShifted: bool
    leftOut: OrganizationRestoreLeftOut
    createdOn: str
    touchedOn: str


class PasswordReset(TypedDict):
    token: str
    resetUrl: str
    expiresOn: str


class PropertyDefinitionOptions(TypedDict):
    value: str
    label: NotRequired[str]


class PropertyDefinition(TypedDict):
    slug: str
    label: NotRequired[str | None]
    propertyType: Literal["string", "text", "number", "currency", "percent", "boolean", "date", "choice", "multi_select", "url", "object_reference", "object_ref_list", "json"]
    options: NotRequired[list[str | PropertyDefinitionOptions] | None]
    level: NotRequired[Literal["family", "option", "all", "override"] | None]
    archived: NotRequired[bool | None]
    required: NotRequired[bool | None]
    indexed: NotRequired[bool | None]
    """Found, ranged and ordered by an index of its own, like `name`, for all entities of the entity type."""
    inheritedFrom: NotRequired[str | None]


class PlannedType(TypedDict):
    typePath: str
    label: NotRequired[str | None]
    properties: NotRequired[list[PropertyDefinition]]


class HeaderAuth(TypedDict):
    kind: Literal["header"]
    name: str
    value: str


class HmacAuth(TypedDict):
    kind: Literal["hmac"]
    secret: str
    overlapSeconds: NotRequired[int]
    """How long calls are signed with the secret before it as well; a day where nothing is said."""


class AllowlistAuth(TypedDict):
    kind: Literal["allowlist"]


class PutEndpoint(TypedDict):
    url: str
    events: NotRequired[list[str]]
    includeLoads: NotRequired[bool]
    """Whether changes made by loads are delivered too."""
    allowedFor: NotRequired[Literal["events", "workflows", "both"]]
    """Who may call it: deliveries of events, `http` tasks of workflows, or both."""
    auth: HeaderAuth | HmacAuth | AllowlistAuth


class QuotasEntities(TypedDict):
    limit: int
    isUsual: bool
    used: int


class QuotasFileBytes(TypedDict):
    limit: int
    isUsual: bool
    used: int


class QuotasTypes(TypedDict):
    limit: int
    isUsual: bool
    used: int


class QuotasTypeBytes(TypedDict):
    limit: int
    isUsual: bool
    used: int


class QuotasWorkflowsPerTrigger(TypedDict):
    limit: int
    isUsual: bool
    used: int


class QuotasRunsPerDay(TypedDict):
    limit: int
    isUsual: bool
    used: int


class QuotasConcurrentLoads(TypedDict):
    limit: int
    isUsual: bool
    used: int


class Quotas(TypedDict):
    entities: QuotasEntities
    fileBytes: QuotasFileBytes
    types: QuotasTypes
    typeBytes: QuotasTypeBytes
    workflowsPerTrigger: QuotasWorkflowsPerTrigger
    runsPerDay: QuotasRunsPerDay
    concurrentLoads: QuotasConcurrentLoads


class ResolvedTypeIndexes(TypedDict):
    property: str
    state: Literal["filling", "ready"]
    done: int
    total: int | None
    """Entities that there were when filling began; null before that."""


class ResolvedType(TypedDict):
    id: NotRequired[str]
    orgId: NotRequired[str]
    typePath: str
    name: NotRequired[str | None]
    federatedId: NotRequired[str | None]
    createdOn: NotRequired[str]
    updatedOn: NotRequired[str]
    createdById: NotRequired[str]
    updatedById: NotRequired[str]
    version: NotRequired[int]
    rootTypePath: str
    label: NotRequired[str | None]
    properties: list[PropertyDefinition]
    indexes: NotRequired[list[ResolvedTypeIndexes]]
    """Of the properties that are indexed: whether all entities are in the index yet."""


class RestoreChangesCriteria(TypedDict):
    """Which changes are taken back; `{}`: all of them."""

    createdById: NotRequired[str]
    """Who made the changes, as the history names them."""
    createdByType: NotRequired[Literal["user", "app", "operator", "loader", "workflow"]]
    entityType: NotRequired[str | list[str]]
    entityReference: NotRequired[str]


class RestoreChanges(TypedDict):
    criteria: RestoreChangesCriteria
    """Which changes are taken back; `{}`: all of them."""
    since: str
    """From this time on, inclusive; a date stands for its beginning."""
    until: NotRequired[str]
    """Up to this time, inclusive; a date stands for its end. Default: now."""
    dryRun: NotRequired[bool]
    name: NotRequired[str]


class RevertProcessProgress(TypedDict):
    phase: str
    changesDone: int
    """Change records looked at that are to be taken back."""
    percent: int
    """It never runs back."""


class RevertProcessResults(TypedDict):
    deleted: int
    restored: int
    updated: int
    unchanged: int
    kept: int


class RevertIssue(TypedDict):
    entityReference: str
    """`<entityType>:<id>` of what was left alone."""
    property: str | None
    """The property that was left alone; null: the whole entity."""
    reason: Literal["changed_since", "deleted_since", "restored_since", "in_use", "duplicate", "reference_gone", "does_not_fit", "too_many_changes"]
    message: str


class RevertProcess(TypedDict):
    id: str
    orgId: str
    typePath: str
    name: str
    federatedId: str | None
    createdOn: str
    updatedOn: str
    createdById: str
    updatedById: str
    version: int
    loaderProcessId: NotRequired[str]
    """The load that is taken back."""
    criteria: NotRequired[dict[str, Any]]
    """Else: the changes that are."""
    since: NotRequired[str]
    until: NotRequired[str]
    dryRun: bool
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    failure: NotRequired[str]
    progress: RevertProcessProgress
    results: dict[str, RevertProcessResults]
    """By entity type: deleted again, brought back, given their old values, as before already, left alone."""
    issueCount: int
    issues: list[RevertIssue]
    """What was left alone, the first 100."""
    issuesFileId: NotRequired[str]
    """All of it, as CSV."""
    assortmentPublishChangeIds: list[str]
    startedOn: NotRequired[str]
    endedOn: NotRequired[str]


class SealedSecretsResults(TypedDict):
    key: str
    isInForce: bool
    secrets: int


class SealedSecrets(TypedDict):
    results: list[SealedSecretsResults]


class SessionOrg(TypedDict):
    id: str
    slug: str
    name: str


class Session(TypedDict):
    accessToken: NotRequired[str]
    """Goes into `Authorization: Bearer …`; shown this once. None where `cookie` was asked for."""
    expiresOn: str
    user: User
    org: SessionOrg


class TypeCheckExamplesErrors(TypedDict):
    path: str
    """JSON Pointer."""
    message: str


class TypeCheckExamples(TypedDict):
    entityType: str
    id: str
    typePath: str
    name: str | None
    errors: list[TypeCheckExamplesErrors]


class TypeCheck(TypedDict):
    checked: int
    """Entities that this call has looked at."""
    unfit: int
    """Those of them that fit now and would no longer."""
    examples: list[TypeCheckExamples]
    """The first of those."""
    nextPageKey: str | None
    """Send it with the same types to look at more; null at the end."""


class TypeIndexes(TypedDict):
    property: str
    state: Literal["filling", "ready"]
    done: int
    total: int | None
    """Entities that there were when filling began; null before that."""


class Type(TypedDict):
    id: str
    orgId: str
    typePath: str
    name: str | None
    federatedId: str | None
    createdOn: str
    updatedOn: str
    createdById: str
    updatedById: str
    version: int
    identifier: NotRequired[str]
    label: NotRequired[str]
    properties: NotRequired[list[PropertyDefinition]]
    rootTypePath: NotRequired[str]
    indexes: NotRequired[list[TypeIndexes]]
    """Of the properties that are indexed: whether all entities are in the index yet."""


class EntityType(TypedDict):
    entityType: str
    rootTypePath: str
    path: str
    about: str


class TypeList(TypedDict):
    results: list[Type]
    nextPageKey: str | None
    entityTypes: list[EntityType]
