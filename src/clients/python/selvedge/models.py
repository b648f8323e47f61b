# Made by `npm run models` from the OpenAPI document. Do not edit: make it again.
"""What the service answers and takes: dictionaries, exactly as they travel."""

from typing import Any, Literal

from typing_extensions import NotRequired, TypedDict


class AccessToken(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    name: str
    """Name of the token, for people."""
    accessToken: str
    """Goes into `Authorization: Bearer …`. Shown once."""
    expiresOn: str
    """When it expires."""


class ApiKey(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    kind: Literal["app", "user", "token", "session"]
    """`app`: a key of the organization; `user`: a key of a person; `token`: an access token; `session`: a sign-in."""
    name: str
    """Name of the key, for people."""
    start: str
    """First characters of the key, to recognize it by."""
    scope: Literal["read", "write"]
    """`read` may only read; `write` may read and write."""
    tier: Literal["standard", "high", "internal"] | None
    """Rate tier of the key; null for that of the organization."""
    userId: str | None
    """Id of the person; null if it belongs to no person."""
    createdOn: str
    """When it was created."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    lastUsedOn: str | None
    """Kept to the hour."""
    expiresOn: str | None
    """When the key expires; null if it never does."""
    revokedOn: str | None
    """When it was revoked; null if it is still valid."""
    replacedById: str | None
    """Id of the key that replaced it by rotation; null if none did."""
    entityTypes: list[str] | None
    """The only entity types that the key may read and write; null for all."""
    addresses: list[str] | None
    """The only IP addresses or blocks that the key may be used from; null for all."""


class AssortmentPublishDetail(TypedDict):
    """What has changed since the publish before."""

    adds: int
    """Number of members that came in."""
    updates: int
    """Number of members that changed."""
    deletes: int
    """Number of members that left."""
    addsUrl: str
    """Where to read the members that came in."""
    updatesUrl: str
    """Where to read the members that changed."""
    deletesUrl: str
    """Where to read the members that left."""
    baselineUrl: str
    """The members before the publish."""


class AssortmentPublish(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    assortmentId: str
    """Id of the assortment."""
    createdOn: str
    """When the assortment was published."""
    createdById: str
    """Id of the person, key, load or workflow that published it."""
    createdByType: str
    """Kind of caller that `createdById` names."""
    detail: AssortmentPublishDetail
    """What has changed since the publish before."""


class AuditEntry(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    createdOn: str
    """When it happened."""
    action: Literal["sign_in", "sign_in_failed", "sign_out", "password_changed", "password_reset_issued", "password_reset_used", "invitation_created", "invitation_revoked", "invitation_accepted", "member_joined", "member_role_changed", "member_removed", "key_issued", "key_rotated", "key_revoked", "token_issued", "token_revoked", "identity_provider_set", "identity_provider_removed", "endpoint_set", "endpoint_removed", "delivery_resent", "organization_created", "organization_changed", "organization_exported", "organization_deleted", "organization_restored", "backup_downloaded", "organization_move_begun", "organization_moved", "organization_move_cancelled", "organization_move_failed", "quotas_set", "file_uploaded", "file_deleted"]
    """What was done."""
    actorType: Literal["user", "app", "operator", "nobody"]
    """Kind of caller; `nobody` for a call without a valid credential."""
    actorId: str | None
    """Id of the caller; null for a call without a valid credential."""
    address: str | None
    """IP address of the call; null if it is not known."""
    subjectId: str | None
    """Id of what the entry is about; null if it has none."""
    detail: dict[str, Any]
    """Further facts, by name."""
    number: int | None
    """Its place in the chain of lines; none until it is chained, at most an hour."""
    digest: str | None
    """Over itself and the line before."""


class Backup(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    organizationId: str
    """Id of the organization."""
    slug: str
    """Short name of the organization in addresses and headers."""
    bytes: int
    """Size of the archive in bytes."""
    begunOn: str
    """When the backup began."""
    completedOn: str
    """When the backup was complete."""


class CallerCredential(TypedDict):
    """The credential of the call."""

    id: str
    """Id, given by the service. It never changes."""
    kind: Literal["app", "user", "token", "session"]
    """`app`: a key of the organization; `user`: a key of a person; `token`: an access token; `session`: a sign-in."""
    expiresOn: str | None
    """When the credential expires; null if it never does."""


class CallerOrg(TypedDict):
    """The organization of the credential."""

    id: str
    """Id, given by the service. It never changes."""
    slug: str
    """Short name of the organization in addresses and headers."""


class User(TypedDict):
    id: str
    """Id of the person."""
    email: str
    """Email address. Upper and lower case are the same."""
    role: Literal["admin", "member"]
    """`admin` manages people and keys; `member` works with the data."""


class Caller(TypedDict):
    credential: CallerCredential
    """The credential of the call."""
    org: CallerOrg
    """The organization of the credential."""
    user: User | None
    """The person who calls; null for a key of the organization."""
    role: Literal["admin", "member"] | None
    """Role of the person; null for a key of the organization."""
    scope: Literal["read", "write"]
    """`read` may only read; `write` may read and write."""
    tier: Literal["standard", "high", "internal"]
    """Rate tier that counts for the call."""


class ChangeRecordChanges(TypedDict):
    oldValue: Any
    """Value before the change; absent if there was none."""
    newValue: Any
    """Value after the change; absent if there is none."""


class ChangeRecord(TypedDict):
    id: str
    """Id of the change record."""
    orgId: str
    """Id of the organization that it belongs to."""
    entityType: str
    """Name of the entity type, such as `item`."""
    entityReference: str
    """The entity, as `<entityType>:<id>`."""
    changeType: Literal["create", "update", "delete"]
    """What was done to the entity."""
    createdOn: str
    """When the change was committed."""
    createdById: str
    """Id of the person, key, load or workflow that made the change."""
    createdByType: Literal["user", "app", "operator", "loader", "workflow"]
    """Kind of caller that `createdById` names."""
    version: int
    """Version of the entity after the change."""
    changes: dict[str, ChangeRecordChanges]
    """The changed properties."""


class ChangePage(TypedDict):
    results: list[ChangeRecord]
    """The change records of this page."""
    nextPageKey: str | None
    """Send it as `nextPageKey` to get the next page; null on the last page."""
    syncKey: str
    """Position after this page. Keep it, and send it as `after` to go on."""


class CreatedWebhook(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    orgId: str
    """Id of the organization that it belongs to."""
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    name: str
    """Name, for people."""
    federatedId: str | None
    """Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it."""
    createdOn: str
    """When it was created."""
    updatedOn: str
    """When it last changed."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    updatedById: str
    """Id of the person, key, load or workflow that last changed it."""
    version: int
    """Number of the version, from 1. Each change adds one."""
    triggerKey: str
    """Trigger key of the workflows that it starts: `webhookId:<id>`."""
    triggerUrl: str
    """Address that starts them. It holds a secret: shown once, then masked."""


class DatabasesResults(TypedDict):
    name: str
    """Name of the binding, such as `DB`."""
    state: Literal["open", "filling", "unavailable"]
    """`open` for new organizations, `filling` from 7 GB on, `unavailable` if it does not answer."""
    bytes: int | None
    """Size in bytes; null if it does not answer."""
    organizations: int
    """Number of organizations in it."""
    warning: str | None
    """What to do; null if nothing is."""


class Databases(TypedDict):
    results: list[DatabasesResults]
    """The databases of the deployment."""


class DeadLetter(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    organization: str | None
    """Id of the organization; null if it is not known."""
    kind: str
    """What was to be done, such as a step of a load."""
    subjectId: str | None
    """Id of what the entry is about; null if it has none."""
    createdOn: str
    """When the queue gave it up."""


class Delivery(TypedDict):
    id: str
    """Also the `webhook-id` of every try."""
    endpointName: str
    """Name of the endpoint."""
    triggerKey: str
    """Names the event: `<entityType>|<create, update or delete>`, `assortment|publish`, or a key of your own."""
    status: Literal["pending", "delivered", "failed"]
    """State of the delivery; `failed` after the last try."""
    attempts: int
    """Number of tries so far."""
    nextAttemptOn: str | None
    """When the next try is due; null if there is none."""
    responseStatus: int | None
    """HTTP status of the last answer; null if there was none."""
    error: str | None
    """Why the last try failed; null if it did not."""
    payload: Any
    """Body that is delivered."""
    createdOn: str
    """When the event happened."""
    endedOn: str | None
    """When it ended. Absent or null until then."""


class DeploymentStatusSchema(TypedDict):
    """Migrations of the database."""

    expected: str
    """Last migration that this version needs."""
    applied: str | None
    """Last migration that is applied; null if it cannot be read."""


class DeploymentStatusChecks(TypedDict):
    name: str
    """Name of the store."""
    isOk: bool
    """Whether it answers."""
    ms: int
    """How long it took, in milliseconds."""


class DeploymentStatusOrganizations(TypedDict):
    """Counts of organizations."""

    total: int
    """All of them."""
    suspended: int
    """Those that are suspended."""


class DeploymentStatusLoads(TypedDict):
    """Loads that wait or run."""

    waiting: int
    """Number of loads that wait or run."""
    oldestStepOn: str | None
    """Last step of the load that has rested longest; null if there is none."""


class DeploymentStatusDeliveries(TypedDict):
    """Deliveries to endpoints in the last 24 hours."""

    since: str
    """Start of that time."""
    delivered: int
    """Deliveries that arrived."""
    pending: int
    """Deliveries that wait for a try."""
    failed: int
    """Deliveries that were given up."""


class DeploymentStatusDeadLetters(TypedDict):
    """Wake-ups that the queues gave up."""

    total: int
    """Number of them."""
    oldestOn: str | None
    """When the oldest was given up; null if there is none."""


class DeploymentStatus(TypedDict):
    status: Literal["ok", "degraded"]
    """`ok`, or `degraded` if a check fails."""
    version: str
    """Version of the service."""
    environment: str
    """Environment of the deployment, such as `production`."""
    schema: DeploymentStatusSchema
    """Migrations of the database."""
    missingBindings: list[str]
    """Bindings that the deployment lacks."""
    checks: list[DeploymentStatusChecks]
    """Whether each store answers."""
    organizations: DeploymentStatusOrganizations
    """Counts of organizations."""
    loads: DeploymentStatusLoads
    """Loads that wait or run."""
    deliveries: DeploymentStatusDeliveries
    """Deliveries to endpoints in the last 24 hours."""
    deadLetters: DeploymentStatusDeadLetters
    """Wake-ups that the queues gave up."""


class EndpointAuth(TypedDict):
    """Secrets are shown as ********."""

    kind: str
    """`header`, `hmac` or `allowlist`."""


class Endpoint(TypedDict):
    name: str
    """Name of the endpoint."""
    url: str
    """Address that is called, https only."""
    events: list[str]
    """Trigger keys whose events are delivered; `item|*` and `*` match several."""
    includeLoads: bool
    """Whether changes made by loads count as events, too."""
    allowedFor: Literal["events", "workflows", "both"]
    """Who may call it: deliveries of events, `http` tasks of workflows, or both."""
    auth: EndpointAuth
    """Secrets are shown as ********."""
    oldSecretUntil: str | None
    """Until then calls are signed with the secret before it as well."""
    createdOn: str
    """When it was created."""
    updatedOn: str
    """When it last changed."""


class EntityCount(TypedDict):
    count: int
    """Number of entities that match."""
    isExact: bool
    """False where there are at least as many, and counting stopped."""


class EventWorkflowProcessError(TypedDict):
    """Why the run failed."""

    code: str
    """Reason, for programs."""
    detail: str
    """Reason, in one sentence."""


class EventWorkflowProcess(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    orgId: str
    """Id of the organization that it belongs to."""
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    name: str | None
    """Name, for people."""
    federatedId: str | None
    """Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it."""
    createdOn: str
    """When it was created."""
    updatedOn: str
    """When it last changed."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    updatedById: str
    """Id of the person, key, load or workflow that last changed it."""
    version: int
    """Number of the version, from 1. Each change adds one."""
    eventWorkflowId: str
    """Id of the workflow that runs."""
    triggerKey: str
    """Names the event: `<entityType>|<create, update or delete>`, `assortment|publish`, or a key of your own."""
    status: Literal["pending", "active", "awaiting", "complete", "failed", "cancelled"]
    """State of the run. It ends as `complete`, `failed` or `cancelled`."""
    triggerEvent: dict[str, Any]
    """The event that started the run."""
    taskOutputs: dict[str, Any]
    """Outputs of the tasks so far, by name of the task."""
    subtext: NotRequired[str]
    """Short text on the latest state, for people."""
    startedOn: str
    """When it started. Absent until then."""
    endedOn: NotRequired[str]
    """When it ended. Absent or null until then."""
    depth: int
    """How many runs led to this one; 1 for a run that no other run started."""
    error: NotRequired[EventWorkflowProcessError]
    """Why the run failed."""


EventWorkflowTask = TypedDict(
    "EventWorkflowTask",
    {
        # Id, given by the service. It never changes.
        "id": str,
        # Id of the organization that it belongs to.
        "orgId": str,
        # Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked.
        "typePath": str,
        # Name, for people.
        "name": str | None,
        # Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it.
        "federatedId": str | None,
        # When it was created.
        "createdOn": str,
        # When it last changed.
        "updatedOn": str,
        # Id of the person, key, load or workflow that created it.
        "createdById": str,
        # Id of the person, key, load or workflow that last changed it.
        "updatedById": str,
        # Number of the version, from 1. Each change adds one.
        "version": int,
        # Id of the run; absent for a task of its own.
        "processId": NotRequired[str],
        # State of the task; `awaiting` while it waits for a callback.
        "status": Literal["pending", "active", "awaiting", "complete", "failed", "cancelled", "skipped"],
        # What the task does, such as `http` or `wait`.
        "action": str,
        # Whether the task waits for a callback.
        "async": bool,
        # What the task has put out, including the output of its callback.
        "output": dict[str, Any],
        # Lines that the task and its callback have logged, each with its time.
        "logs": list[str],
        # Short text on the latest state, for people.
        "subtext": NotRequired[str],
        # Seconds that the task waits for its callback.
        "timeoutSeconds": NotRequired[int],
        # When it started. Absent until then.
        "startedOn": NotRequired[str],
        # When it ended. Absent or null until then.
        "endedOn": NotRequired[str],
        # When a task that waits stops waiting.
        "expiresOn": NotRequired[str],
    },
)


class File(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    orgId: str
    """Id of the organization that it belongs to."""
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    name: str | None
    """Name, for people."""
    federatedId: str | None
    """Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it."""
    createdOn: str
    """When it was created."""
    updatedOn: str
    """When it last changed."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    updatedById: str
    """Id of the person, key, load or workflow that last changed it."""
    version: int
    """Number of the version, from 1. Each change adds one."""
    fileName: str
    """Name of the file, without slashes."""
    contentType: str
    """Content type of the file."""
    status: Literal["pending", "ready"]
    """`pending` until the content is there, then `ready`."""
    size: int | None
    """Size in bytes; null until the content is there."""
    checksum: str | None
    """SHA-256 of the content; null until the content is there."""
    uploadedOn: str | None
    """When the content was uploaded; null until then."""
    uploadUrl: NotRequired[str]
    """Where the content of a pending file goes, by PUT."""
    contentId: NotRequired[str]
    """Which upload the content came from."""


class IdentityProvider(TypedDict):
    issuer: str
    """Address of the identity provider."""
    clientId: str
    """Client id that the identity provider gave to this service."""
    clientSecret: str
    """Masked."""
    allowSignUp: bool
    """Whether a first sign-in makes a person a member who is not one yet."""
    callbackUrl: str
    """The redirect address to register with the provider; each organization has its own."""
    updatedOn: str
    """When it last changed."""


class Invitation(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    email: str
    """Email address. Upper and lower case are the same."""
    role: Literal["admin", "member"]
    """`admin` manages people and keys; `member` works with the data."""
    createdOn: str
    """When it was created."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    expiresOn: str
    """When it expires."""
    acceptedOn: str | None
    """When it was accepted; null until then."""
    revokedOn: str | None
    """When it was revoked; null if it is still valid."""


class IssuedApiKey(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    kind: Literal["app", "user", "token", "session"]
    """`app`: a key of the organization; `user`: a key of a person; `token`: an access token; `session`: a sign-in."""
    name: str
    """Name of the key, for people."""
    start: str
    """First characters of the key, to recognize it by."""
    scope: Literal["read", "write"]
    """`read` may only read; `write` may read and write."""
    tier: Literal["standard", "high", "internal"] | None
    """Rate tier of the key; null for that of the organization."""
    userId: str | None
    """Id of the person; null if it belongs to no person."""
    createdOn: str
    """When it was created."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    lastUsedOn: str | None
    """Kept to the hour."""
    expiresOn: str | None
    """When the key expires; null if it never does."""
    revokedOn: str | None
    """When it was revoked; null if it is still valid."""
    replacedById: str | None
    """Id of the key that replaced it by rotation; null if none did."""
    entityTypes: list[str] | None
    """The only entity types that the key may read and write; null for all."""
    addresses: list[str] | None
    """The only IP addresses or blocks that the key may be used from; null for all."""
    key: str
    """Shown this once."""


class IssuedInvitation(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    email: str
    """Email address. Upper and lower case are the same."""
    role: Literal["admin", "member"]
    """`admin` manages people and keys; `member` works with the data."""
    createdOn: str
    """When it was created."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    expiresOn: str
    """When it expires."""
    acceptedOn: str | None
    """When it was accepted; null until then."""
    revokedOn: str | None
    """When it was revoked; null if it is still valid."""
    token: str
    """One-time token of the link."""
    acceptUrl: str
    """Address where the person accepts. Hand it over; it works once."""


class ColumnDefinitionConditions(TypedDict):
    conditional: str
    """Expression over the row, such as `{Country} == 'PT'`."""
    value: Any
    """Value of the column where the expression is true."""


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
    """Value of the column."""
    assortmentId: NotRequired[str]
    """Id of the assortment of these rows."""
    assortmentIdentifier: NotRequired[str]
    """Identifier of the assortment, in the place of its id."""


class AssortmentSplit(TypedDict):
    fieldToSplitOn: str
    """CSV column whose value picks the assortment of each row."""
    values: list[AssortmentSplitValues]
    """The values of the column, and the assortment that each leads to."""
    partialAssortmentUpdate: NotRequired[bool]
    """Whether assortment items that the file lacks stay; else the load removes them."""
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
    """Columns that are added or replaced, one after the other, before rows are read."""
    propertiesToRemove: NotRequired[list[str]]
    """Column names removed before processing."""
    workspaceIdentifier: NotRequired[str]
    """Project (workspace) that receives PROJECT_ITEM entities."""
    assortmentSplit: NotRequired[AssortmentSplit]
    """Distributes the rows of one file over several assortments."""
    partialAssortmentUpdate: NotRequired[bool]
    """Whether assortment items that the file lacks stay; else the load removes them."""
    assortmentItemDropField: NotRequired[str]
    """Column; rows holding true are removed from the assortment."""
    shouldSkipAssortmentPublish: NotRequired[bool]
    """Whether the load leaves its assortments unpublished."""
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
    """How far the load is."""

    phase: str
    """What the load is doing, such as `validating` or `writing`."""
    rowsTotal: int | None
    """Rows of the file; null until they are counted."""
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
    """Entities created."""
    updated: int
    """Entities changed."""
    unchanged: int
    """Entities that the file describes as they were."""
    removed: int
    """Entities removed."""


class LoaderProcessSteps(TypedDict):
    step: int
    """Number of the step, from 1."""
    name: str
    """Name of the step."""
    rows: int
    """Rows that have gone through it."""
    warnings: int
    """Warnings that it gave."""


class LoadIssue(TypedDict):
    rowNumber: int
    """Line in the file; the header is line 1."""
    columnName: str | None
    """Column of the file; null if the issue concerns the whole row."""
    message: str
    """What is wrong and what to do, in one sentence."""
    issueType: Literal["CONFIG", "HEADER_MISMATCH", "INVALID_DATA", "MISSING_DATA", "VALIDATION_ERROR", "DUPLICATE_FEDERATED_ID", "SYSTEM_ERROR"]
    """Kind of issue, for programs."""
    severity: Literal["error", "warning"]
    """An `error` stops the load before anything is written; a `warning` does not."""


class LoaderProcess(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    orgId: str
    """Id of the organization that it belongs to."""
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    name: str
    """Name of the load, for people."""
    federatedId: str | None
    """Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it."""
    createdOn: str
    """When it was created."""
    updatedOn: str
    """When it last changed."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    updatedById: str
    """Id of the person, key, load or workflow that last changed it."""
    version: int
    """Number of the version, from 1. Each change adds one."""
    loadType: list[Literal["ITEM", "PROJECT_ITEM", "ASSORTMENT", "COLOR", "CUSTOM_ENTITY", "SIZE_RANGE_TEMPLATE"]]
    """Entity types that the load writes."""
    fileLocation: str
    """Id of the CSV file."""
    ownsFile: NotRequired[bool]
    """The file came with the load, and is removed with it."""
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    """State of the load. It ends as `completed`, `failed` or `cancelled`."""
    failureArea: Literal["NONE", "PARSING_CSV", "VALIDATING_DATA", "TRANSFORMING_DATA"]
    """Where the load failed; `NONE` as long as it has not."""
    progress: LoaderProcessProgress
    """How far the load is."""
    results: dict[str, LoaderProcessResults]
    """Counts by entity type."""
    unrecordedWrites: int
    """Writes of assortment items without change records."""
    steps: list[LoaderProcessSteps]
    """The steps that each row goes through."""
    errorCount: int
    """Number of errors."""
    warningCount: int
    """Number of warnings."""
    issues: list[LoadIssue]
    """The first 100."""
    issuesFileId: NotRequired[str]
    """Id of a CSV file with all issues."""
    annotatedFileId: NotRequired[str]
    """Id of the loaded file with a column of errors added."""
    assortmentPublishChangeIds: list[str]
    """Ids of the publishes that it made."""
    startedOn: NotRequired[str]
    """When it started. Absent until then."""
    endedOn: NotRequired[str]
    """When it ended. Absent or null until then."""


class Member(TypedDict):
    id: str
    """Id of the person."""
    email: str
    """Email address. Upper and lower case are the same."""
    role: Literal["admin", "member"]
    """`admin` manages people and keys; `member` works with the data."""
    joinedOn: str
    """When the person joined the organization."""


class OpenSession(TypedDict):
    id: str
    """Id of the session."""
    userId: str
    """Id of the person."""
    method: str
    """How it began: password, invitation or single sign-on."""
    createdOn: str
    """When the person signed in."""
    lastUsedOn: str | None
    """Kept to the hour."""
    expiresOn: str
    """When it expires."""
    isCurrent: bool
    """Whether it is the one that asks."""


class Organization(TypedDict):
    id: str
    """Id of the organization."""
    slug: str
    """Short name of the organization in addresses and headers."""
    name: str
    """Name of the organization, for people."""
    tier: Literal["standard", "high", "internal"]
    """Rate tier: how many requests a minute are allowed."""
    createdOn: str
    """When it was created."""
    suspendedOn: str | None
    """When it was suspended; null if it is not."""
    historyRetentionDays: int | None
    """Days after which change records are deleted; null: never."""
    historyArchiveDays: int | None
    """Days after which change records move into files; null: never."""
    database: str
    """Name of the database that holds it."""
    moving: bool
    """On its way to another database."""


class OrganizationMoveRows(TypedDict):
    """Counts of rows."""

    total: int
    """Rows to move."""
    copied: int
    """Rows copied so far."""
    compared: int
    """Rows compared so far."""
    followed: int
    """Rows written during the move and copied afterwards."""


OrganizationMove = TypedDict(
    "OrganizationMove",
    {
        # Id, given by the service. It never changes.
        "id": str,
        # Slug of the organization.
        "organization": str,
        # Name of the database that it leaves.
        "from": str,
        # Name of the database that it goes to.
        "to": str,
        # State of the move. It ends as `complete`, `cancelled` or `failed`.
        "state": Literal["moving", "complete", "cancelled", "failed"],
        # clearing, copying, comparing, following, stopped (writes get 503), opening; undoing; or how it ended.
        "phase": str,
        # Progress of the whole in percent. It never runs back.
        "percent": int,
        # Counts of rows.
        "rows": OrganizationMoveRows,
        # Rows of each table, the same in both databases when it was moved.
        "tables": dict[str, int],
        # How long writes were refused.
        "stoppedMs": int,
        # When it started. Absent until then.
        "startedOn": str,
        # When it last made progress.
        "touchedOn": str,
        # When it ended. Absent or null until then.
        "endedOn": str | None,
        # Why the move failed; null if it has not.
        "error": str | None,
    },
)


class OrganizationRestoreLeftOut(TypedDict):
    """What the archive does not hold and must be set again."""

    passwords: int
    """Number of people without a password."""
    endpoints: list[str]
    """Names of endpoints without their secrets."""
    identityProvider: bool
    """Whether the identity provider lacks its secret."""


class OrganizationRestore(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    organizationId: str
    """Id of the organization."""
    slug: str
    """Short name of the organization in addresses and headers."""
    state: Literal["receiving", "completing", "complete"]
    """`receiving` parts, `completing` the comparison, or `complete`."""
    nextPart: int
    """Number of the part that is expected next."""
    isShifted: bool
    """Whether positions in the history were shifted, so that older syncKeys are refused."""
    leftOut: OrganizationRestoreLeftOut
    """What the archive does not hold and must be set again."""
    createdOn: str
    """When the restore began."""
    touchedOn: str
    """When it last made progress."""


class PasswordReset(TypedDict):
    token: str
    """One-time token of the link."""
    resetUrl: str
    """Address where the person sets a new password. Hand it over; it works once."""
    expiresOn: str
    """When it expires."""


class PropertyDefinitionOptions(TypedDict):
    value: str
    """The value, as entities store it."""
    label: NotRequired[str]
    """The value, as people read it; loads accept it, too."""


class PropertyDefinition(TypedDict):
    slug: str
    """Name of the property in entities, such as `season`."""
    label: NotRequired[str | None]
    """Name of the property, for people."""
    propertyType: Literal["string", "text", "number", "currency", "percent", "boolean", "date", "choice", "multi_select", "url", "object_reference", "object_ref_list", "json"]
    """What its values are. It decides how they are checked and how loads read them."""
    options: NotRequired[list[str | PropertyDefinitionOptions] | None]
    """The values that a `choice` or `multi_select` may have."""
    level: NotRequired[Literal["family", "option", "all", "override"] | None]
    """Which items a load gives the value to: `family`, `option`, `all` (the default), or `override` for a family value that an option may replace."""
    archived: NotRequired[bool | None]
    """Whether the property is out of use. Stored values stay readable."""
    required: NotRequired[bool | None]
    """Whether an entity must have a value."""
    indexed: NotRequired[bool | None]
    """Found, ranged and ordered by an index of its own, like `name`, for all entities of the entity type."""
    inheritedFrom: NotRequired[str | None]
    """Type path that defines the property; null for one of its own."""


class PlannedType(TypedDict):
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    label: NotRequired[str | None]
    """Name of the type, for people."""
    properties: NotRequired[list[PropertyDefinition]]
    """The properties as they are to be."""


class HeaderAuth(TypedDict):
    kind: Literal["header"]
    """A header with a fixed value."""
    name: str
    """Name of the header."""
    value: str
    """Value of the header. Masked when read; the mask sent back keeps it."""


class HmacAuth(TypedDict):
    kind: Literal["hmac"]
    """A signature in the Standard Webhooks form."""
    secret: str
    """Secret of the signature, `whsec_…`. Masked when read; the mask sent back keeps it."""
    overlapSeconds: NotRequired[int]
    """How long calls are signed with the secret before it as well; a day where nothing is said."""


class AllowlistAuth(TypedDict):
    kind: Literal["allowlist"]
    """No secret: the receiver checks the fixed addresses that calls come from."""


class PutEndpoint(TypedDict):
    url: str
    """Address that is called, https only."""
    events: NotRequired[list[str]]
    """Trigger keys whose events are delivered; `item|*` and `*` match several."""
    includeLoads: NotRequired[bool]
    """Whether changes made by loads are delivered too."""
    allowedFor: NotRequired[Literal["events", "workflows", "both"]]
    """Who may call it: deliveries of events, `http` tasks of workflows, or both."""
    auth: HeaderAuth | HmacAuth | AllowlistAuth
    """How calls are secured."""


class QuotasEntities(TypedDict):
    """How many entities the organization may have."""

    limit: int
    """Most entities."""
    isUsual: bool
    """Whether the limit is the default."""
    used: int
    """Number of entities at the moment."""


class QuotasFileBytes(TypedDict):
    """How many bytes of files the organization may have."""

    limit: int
    """Most bytes of files."""
    isUsual: bool
    """Whether the limit is the default."""
    used: int
    """Number of bytes of files at the moment."""


class QuotasTypes(TypedDict):
    """How many types the organization may have."""

    limit: int
    """Most types."""
    isUsual: bool
    """Whether the limit is the default."""
    used: int
    """Number of types at the moment."""


class QuotasTypeBytes(TypedDict):
    """How many bytes of type definitions the organization may have."""

    limit: int
    """Most bytes of type definitions."""
    isUsual: bool
    """Whether the limit is the default."""
    used: int
    """Number of bytes of type definitions at the moment."""


class QuotasWorkflowsPerTrigger(TypedDict):
    """How many workflows with the same trigger key the organization may have."""

    limit: int
    """Most workflows with the same trigger key."""
    isUsual: bool
    """Whether the limit is the default."""
    used: int
    """Number of workflows with the same trigger key at the moment."""


class QuotasRunsPerDay(TypedDict):
    """How many workflow runs in 24 hours the organization may have."""

    limit: int
    """Most workflow runs in 24 hours."""
    isUsual: bool
    """Whether the limit is the default."""
    used: int
    """Number of workflow runs in 24 hours at the moment."""


class QuotasConcurrentLoads(TypedDict):
    """How many loads that wait or run the organization may have."""

    limit: int
    """Most loads that wait or run."""
    isUsual: bool
    """Whether the limit is the default."""
    used: int
    """Number of loads that wait or run at the moment."""


class Quotas(TypedDict):
    entities: QuotasEntities
    """How many entities the organization may have."""
    fileBytes: QuotasFileBytes
    """How many bytes of files the organization may have."""
    types: QuotasTypes
    """How many types the organization may have."""
    typeBytes: QuotasTypeBytes
    """How many bytes of type definitions the organization may have."""
    workflowsPerTrigger: QuotasWorkflowsPerTrigger
    """How many workflows with the same trigger key the organization may have."""
    runsPerDay: QuotasRunsPerDay
    """How many workflow runs in 24 hours the organization may have."""
    concurrentLoads: QuotasConcurrentLoads
    """How many loads that wait or run the organization may have."""


class ResolvedTypeIndexes(TypedDict):
    property: str
    """Slug of the indexed property."""
    state: Literal["filling", "ready"]
    """`filling` while existing entities are being added to the index, then `ready`."""
    done: int
    """Number of entities added so far."""
    total: int | None
    """Entities that there were when filling began; null before that."""


class ResolvedType(TypedDict):
    id: NotRequired[str]
    """Id, given by the service. It never changes."""
    orgId: NotRequired[str]
    """Id of the organization that it belongs to."""
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    name: NotRequired[str | None]
    """Name, for people."""
    federatedId: NotRequired[str | None]
    """Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it."""
    createdOn: NotRequired[str]
    """When it was created."""
    updatedOn: NotRequired[str]
    """When it last changed."""
    createdById: NotRequired[str]
    """Id of the person, key, load or workflow that created it."""
    updatedById: NotRequired[str]
    """Id of the person, key, load or workflow that last changed it."""
    version: NotRequired[int]
    """Number of the version, from 1. Each change adds one."""
    rootTypePath: str
    """First part of the type path: the entity type."""
    label: NotRequired[str | None]
    """Name of the type, for people."""
    properties: list[PropertyDefinition]
    """All properties of the path, inherited ones included."""
    indexes: NotRequired[list[ResolvedTypeIndexes]]
    """Of the properties that are indexed: whether all entities are in the index yet."""


class RestoreChangesCriteria(TypedDict):
    """Which changes are taken back; `{}`: all of them."""

    createdById: NotRequired[str]
    """Who made the changes, as the history names them."""
    createdByType: NotRequired[Literal["user", "app", "operator", "loader", "workflow"]]
    """Kind of caller that made the changes."""
    entityType: NotRequired[str | list[str]]
    """Entity types whose changes are reverted."""
    entityReference: NotRequired[str]
    """The one entity whose changes are reverted, as `<entityType>:<id>`."""


class RestoreChanges(TypedDict):
    criteria: RestoreChangesCriteria
    """Which changes are taken back; `{}`: all of them."""
    since: str
    """From this time on, inclusive; a date stands for its beginning."""
    until: NotRequired[str]
    """Up to this time, inclusive; a date stands for its end. Default: now."""
    dryRun: NotRequired[bool]
    """Whether to do everything but the writes."""
    name: NotRequired[str]
    """Name of the revert, for people."""


class RevertProcessProgress(TypedDict):
    """How far the revert is."""

    phase: str
    """What the revert is doing."""
    changesDone: int
    """Change records looked at that are to be taken back."""
    percent: int
    """It never runs back."""


class RevertProcessResults(TypedDict):
    deleted: int
    """Entities deleted again."""
    restored: int
    """Deleted entities brought back."""
    updated: int
    """Entities that got their earlier values."""
    unchanged: int
    """Entities that had their earlier values already."""
    kept: int
    """Entities left alone."""


class RevertIssue(TypedDict):
    entityReference: str
    """`<entityType>:<id>` of what was left alone."""
    property: str | None
    """The property that was left alone; null: the whole entity."""
    reason: Literal["changed_since", "deleted_since", "restored_since", "in_use", "duplicate", "reference_gone", "does_not_fit", "too_many_changes"]
    """Why it was left alone, for programs."""
    message: str
    """What is wrong and what to do, in one sentence."""


class RevertProcess(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    orgId: str
    """Id of the organization that it belongs to."""
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    name: str
    """Name of the revert, for people."""
    federatedId: str | None
    """Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it."""
    createdOn: str
    """When it was created."""
    updatedOn: str
    """When it last changed."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    updatedById: str
    """Id of the person, key, load or workflow that last changed it."""
    version: int
    """Number of the version, from 1. Each change adds one."""
    loaderProcessId: NotRequired[str]
    """The load that is taken back."""
    criteria: NotRequired[dict[str, Any]]
    """Else: the changes that are."""
    since: NotRequired[str]
    """Start of the time whose changes are reverted."""
    until: NotRequired[str]
    """End of the time whose changes are reverted."""
    dryRun: bool
    """Whether it only reports what it would do."""
    status: Literal["pending", "running", "completed", "failed", "cancelled"]
    """State of the revert. It ends as `completed`, `failed` or `cancelled`."""
    failure: NotRequired[str]
    """Why it failed."""
    progress: RevertProcessProgress
    """How far the revert is."""
    results: dict[str, RevertProcessResults]
    """By entity type: deleted again, brought back, given their old values, as before already, left alone."""
    issueCount: int
    """Number of entities and properties left alone."""
    issues: list[RevertIssue]
    """What was left alone, the first 100."""
    issuesFileId: NotRequired[str]
    """All of it, as CSV."""
    assortmentPublishChangeIds: list[str]
    """Ids of the publishes that it made."""
    startedOn: NotRequired[str]
    """When it started. Absent until then."""
    endedOn: NotRequired[str]
    """When it ended. Absent or null until then."""


class SealedSecretsResults(TypedDict):
    key: str
    """Digest of the key, to tell keys apart."""
    isInForce: bool
    """Whether it is the present SECRETS_KEY."""
    secrets: int
    """Number of secrets sealed under it."""


class SealedSecrets(TypedDict):
    results: list[SealedSecretsResults]
    """One entry for each key that seals secrets."""


class SessionOrg(TypedDict):
    """The organization of the session."""

    id: str
    """Id, given by the service. It never changes."""
    slug: str
    """Short name of the organization in addresses and headers."""
    name: str
    """Name of the organization."""


class Session(TypedDict):
    accessToken: NotRequired[str]
    """Goes into `Authorization: Bearer …`; shown this once. None where `cookie` was asked for."""
    expiresOn: str
    """When it expires."""
    user: User
    """The person who has signed in."""
    org: SessionOrg
    """The organization of the session."""


class TypeCheckExamplesErrors(TypedDict):
    path: str
    """JSON Pointer."""
    message: str
    """What would not fit, in one sentence."""


class TypeCheckExamples(TypedDict):
    entityType: str
    """Name of the entity type, such as `item`."""
    id: str
    """Id of the entity that would not fit."""
    typePath: str
    """Type of the entity: the entity type, or a path below it such as `item:shirt`. It decides which properties are checked."""
    name: str | None
    """Name, for people."""
    errors: list[TypeCheckExamplesErrors]
    """What would not fit."""


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
    """Slug of the indexed property."""
    state: Literal["filling", "ready"]
    """`filling` while existing entities are being added to the index, then `ready`."""
    done: int
    """Number of entities added so far."""
    total: int | None
    """Entities that there were when filling began; null before that."""


class Type(TypedDict):
    id: str
    """Id, given by the service. It never changes."""
    orgId: str
    """Id of the organization that it belongs to."""
    typePath: str
    """The type path that is defined, such as `item:shirt`. It inherits from the paths above it."""
    name: str | None
    """Name, for people."""
    federatedId: str | None
    """Your own key for it, such as the number in your ERP. Unique among the entities of one type; upserts and loads find the entity by it."""
    createdOn: str
    """When it was created."""
    updatedOn: str
    """When it last changed."""
    createdById: str
    """Id of the person, key, load or workflow that created it."""
    updatedById: str
    """Id of the person, key, load or workflow that last changed it."""
    version: int
    """Number of the version, from 1. Each change adds one."""
    identifier: NotRequired[str]
    """A second, human-readable key, such as a style number. Unique among the entities of one type."""
    label: NotRequired[str]
    """Name of the type, for people."""
    properties: NotRequired[list[PropertyDefinition]]
    """The properties that this path defines. Those of the paths above it count as well."""
    rootTypePath: NotRequired[str]
    """First part of the type path: the entity type."""
    indexes: NotRequired[list[TypeIndexes]]
    """Of the properties that are indexed: whether all entities are in the index yet."""


class EntityType(TypedDict):
    entityType: str
    """Name of the entity type, such as `item`."""
    rootTypePath: str
    """First part of the type path: the entity type."""
    path: str
    """Path of its operations, such as `items`."""
    about: str
    """What its entities are."""


class TypeList(TypedDict):
    results: list[Type]
    """The types that are defined."""
    nextPageKey: str | None
    """Send it as `nextPageKey` to get the next page; null on the last page."""
    entityTypes: list[EntityType]
    """All entity types of the service."""
