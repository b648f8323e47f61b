package io.selvedge.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.selvedge.client.model.EntityType;
import io.selvedge.client.model.TypeCheck;
import io.selvedge.client.model.TypeDefinition;
import io.selvedge.client.model.TypeDefinition.Property;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Types of the real service. */
class TypesIT {

    private static SelvedgeClient client;

    @BeforeAll
    static void login() {
        client = RunningService.get().login();
    }

    @Test
    void theRootTypePathOfEachEntityTypeIsListed() {
        List<String> roots = client.types().entityTypes().stream()
                .map(EntityType::rootTypePath)
                .toList();

        assertTrue(
                roots.containsAll(List.of("item", "project-item", "assortment-item", "color", "custom-entity")),
                roots.toString());
    }

    /** N49, N53 */
    @Test
    void aTypeTellsOfItsIndexesIsASchemaAndCanBeCheckedBefore() {
        String path = "custom-entity:t" + UUID.randomUUID().toString().substring(0, 8);
        Property weight = new Property("weight" + path.substring(15), null, "number", null, null, null, null, true, null);
        TypeDefinition type = client.types().create(TypeDefinition.of(path, "Sheet", weight));
        String id = (String) client.entities()
                .create("custom-entity", Map.of("name", "x", "typePath", path))
                .get("id");

        TypeDefinition read = client.types().get(path);
        assertEquals(weight.slug(), read.indexes().get(0).property());
        client.types().update(type.id(), read);
        assertTrue(client.types().schema(path, "read").toString().contains(weight.slug()));
        assertTrue(client.types().schema(null, null).containsKey("$defs"));

        Property needed = new Property("size", null, "string", null, null, null, true, null, null);
        TypeCheck check = client.types().check(List.of(TypeDefinition.of(path, "Sheet", needed)), null);
        assertEquals(id, check.examples().get(0).id());
        assertEquals("/size", check.examples().get(0).errors().get(0).path());

        client.entities().delete("custom-entity", id);
        client.types().delete(type.id());
    }

    @Test
    void aTypeIsDefinedInheritsBindsAndGoes() {
        String parent = "custom-entity:t" + UUID.randomUUID().toString().substring(0, 8);
        TypeDefinition upper =
                client.types().create(TypeDefinition.of(parent, "Upper", Property.of("price", "Price", "number")));
        TypeDefinition lower = client.types()
                .create(TypeDefinition.of(parent + ":sub", "Lower", Property.of("season", "Season", "string")));

        Map<String, Property> found = client.types().get(parent + ":sub").properties().stream()
                .collect(Collectors.toMap(Property::slug, property -> property));
        assertEquals(parent, found.get("price").inheritedFrom());
        assertNull(found.get("season").inheritedFrom());

        ApiException unfit = assertThrows(ApiException.class, () -> client.entities()
                .create("custom-entity", Map.of("name", "x", "typePath", parent + ":sub", "price", "dear")));
        assertEquals("/price", unfit.getErrors().get(0).path());

        client.types().update(lower.id(), new TypeDefinition(null, parent + ":sub", null, "Lowest", List.of()));
        assertEquals("Lowest", client.types().get(lower.id()).label());
        assertTrue(client.types().list(ListQuery.all().where("typePath", parent)).results().stream()
                .anyMatch(type -> type.id().equals(upper.id())));

        client.types().delete(lower.id());
        client.types().delete(upper.id());
        assertEquals(
                404,
                assertThrows(ApiException.class, () -> client.types().get(parent))
                        .getStatus());
    }
}
